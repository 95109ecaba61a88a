import { activityInfo, cancellationSignal } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { RequestBooks } from '../core/limiter/permit.ts'
import type { Db } from '../db/connect.ts'
import {
  type FailedItem,
  failedThroughout,
  type MissingValues,
  missingValues,
  neverAnswered,
  storeValueFailures,
  storeValues,
} from '../db/item-values.repo.ts'
import type { Project } from '../db/projects.repo.ts'
import { OutsideCallError } from '../errors.ts'
import type { ItemAnswer } from '../http/value-source.ts'
import type { ExtendActivities } from './activity-contracts.ts'
import { existingProject } from './existing-project.ts'
import { withHeartbeat } from './heartbeat.ts'
import { onceStored } from './once-stored.ts'
import { backOffMs } from './outside-call.ts'
import { recordExchange } from './record-exchange.ts'
import type { ServiceDirectory } from './service-directory.ts'
import { outsideFailure, waitFailure, withFailures } from './to-failure.ts'

/** Items of one activity: 20 to 100 requests. To find a page costs a look at all matches, 0.3 s at 100,000. */
const ITEMS_PER_PAGE = 1_000

/** About 7 s of waiting at least. */
const TRIES_WITHOUT_ANSWER = 4

export interface ExtendActivityDeps {
  readonly db: Db
  readonly services: ServiceDirectory
  readonly books: RequestBooks
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export function createExtendActivities(deps: ExtendActivityDeps): ExtendActivities {
  const { db, books } = deps
  return {
    extendItems: ({ projectId, properties, extension, renewBefore }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const project = await existingProject(db, projectId)
          const { service } = project.settings
          const question = { projectId, service, properties, renewBefore }
          const page = await missingValues(db, question, extension, ITEMS_PER_PAGE)
          if (page.length === 0) {
            await failWhereNothingCame(db, service, properties, extension)
            // Who looks at `limits` right after it is to see all its requests.
            await books.settle()
            return { more: false }
          }
          try {
            await askPage(deps, project, extension, page)
          } catch (error) {
            const hopeless = await hopelessFailure(db, service, properties, error)
            throw hopeless ?? outsideFailure(error, deps.random())
          }
          return { more: true }
        }),
      ),
  }
}

/** Items that miss the same properties are asked for these together. */
async function askPage(
  deps: ExtendActivityDeps,
  project: Project,
  extension: string,
  page: readonly MissingValues[],
): Promise<void> {
  const { db, services } = deps
  const { service, languages } = project.settings
  const known = services.find(service, project.id)
  let attempts = 0
  for (const { properties, ids } of alikeItems(page)) {
    await known.values.fetchValues(ids, properties, {
      languages,
      signal: cancellationSignal(),
      onExchange: (exchange) => recordExchange(db, null, exchange, []),
      async onAnswer(answers) {
        await onceStored(() => storeValues(db, service, answers.filter(isAnswered)))
        const failed = answers.flatMap((answer) => failedItem(answer, properties) ?? [])
        const most = await onceStored(() => storeValueFailures(db, service, extension, failed))
        attempts = Math.max(attempts, most)
      },
    })
  }
  if (attempts === 0) return
  const delayMs = backOffMs(deps, known, attempts)
  throw waitFailure('retry_later', 'Some items are to be asked again.', delayMs)
}

interface AlikeItems {
  readonly properties: readonly string[]
  readonly ids: string[]
}

function alikeItems(page: readonly MissingValues[]): readonly AlikeItems[] {
  const alike = new Map<string, AlikeItems>()
  for (const { id, properties } of page) {
    const key = JSON.stringify(properties)
    const items = alike.get(key) ?? { properties, ids: [] }
    items.ids.push(id)
    alike.set(key, items)
  }
  return [...alike.values()]
}

function isAnswered(answer: ItemAnswer): answer is Extract<ItemAnswer, { status: 'answered' }> {
  return answer.status === 'answered'
}

function failedItem(answer: ItemAnswer, properties: readonly string[]): FailedItem | undefined {
  if (answer.status === 'answered') return undefined
  const { kind, code, message } = answer.error
  return { id: answer.id, properties, code, message, isFinal: kind === 'permanent' }
}

/**
 * Many services answer 500 to a property they do not know, whatever the item: then nobody is asked on and on. An outage
 * of that kind has some seconds to pass by itself.
 */
async function hopelessFailure(
  db: Db,
  service: string,
  properties: readonly string[],
  error: unknown,
): Promise<ApplicationFailure | undefined> {
  if (!(error instanceof OutsideCallError) || error.kind !== 'transient') return undefined
  if (activityInfo().attempt < TRIES_WITHOUT_ANSWER) return undefined
  const never = await neverAnswered(db, service, properties)
  if (never.length === 0) return undefined
  return neverAnsweredFailure(never, error)
}

/** The same where every item has used up its attempts before the service was left alone. */
async function failWhereNothingCame(
  db: Db,
  service: string,
  properties: readonly string[],
  extension: string,
): Promise<void> {
  const failed = await failedThroughout(db, service, properties, extension)
  const last = failed.at(-1)
  if (last === undefined) return
  throw neverAnsweredFailure(
    failed.map(({ property }) => property),
    last,
  )
}

function neverAnsweredFailure(
  properties: readonly string[],
  last: { readonly code: string; readonly message: string },
): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `The service has not answered for any item what was asked of it (${properties.join(', ')}); last: ${last.message} [${last.code}] Check that it knows these ids.`,
    'never_answered',
  )
}
