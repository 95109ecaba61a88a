import { MOST_ITEMS_TOGETHER } from '../../core/wikidata/fetch-plan.ts'
import { askLookups } from '../reconciliation/ask-lookups.ts'
import type { Question, QuestionResult } from '../reconciliation/lookup-result.ts'

interface AskedEntity extends Question {
  readonly item: string
}

/** What became of one id. */
export type EntityResult<Answer> = QuestionResult<Answer> & { readonly item: string }

/**
 * Asks about entities in calls of 50; one that fails is halved, as batches of lookups are.
 * @param send answers in the order of the ids
 * @param deliver gets each id once, as soon as it is final; awaited before the next call
 * @throws OutsideCallError when the service as a whole cannot be asked now
 */
export async function askEntities<Answer extends object>(
  ids: readonly string[],
  send: (ids: readonly string[]) => Promise<readonly Answer[]>,
  deliver: (results: readonly EntityResult<Answer>[]) => Promise<void> | void,
): Promise<void> {
  await askLookups(
    {
      batchSize: () => MOST_ITEMS_TOGETHER,
      async send(group: readonly AskedEntity[]) {
        return { answers: await send(group.map(({ item }) => item)), warnings: [] }
      },
      answered() {},
      failed() {},
    },
    ids.map((item, id): AskedEntity => ({ id, item })),
    (results) => deliver(results.map((result) => ({ ...result, item: ids[result.id] ?? '' }))),
  )
}
