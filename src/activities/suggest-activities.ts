/**
 * What a person waits for at a service: `suggest`, and searches on pages. Asked here because every request needs a permit.
 * Names are read from the database, so no cell text is in a payload.
 */
import { cancellationSignal } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { LookupQuery } from '../core/matching/lookup-query.ts'
import { mapRecord } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import { lookupsOf } from '../core/matching/lookups.ts'
import { lookAgainMs } from '../core/wait-delay.ts'
import { rankTypes } from '../core/suggestions.ts'
import type { Db } from '../db/connect.ts'
import { findSearch } from '../db/item-searches.repo.ts'
import { randomRecords } from '../db/random-records.ts'
import { OutsideCallError } from '../errors.ts'
import type { SuggestActivities } from './activity-contracts.ts'
import { dressedLists } from './dressed-lists.ts'
import { existingProject } from './existing-project.ts'
import { withHeartbeat } from './heartbeat.ts'
import type { ServiceCall } from './known-service.ts'
import { recordExchange } from './record-exchange.ts'
import type { ServiceDirectory } from './service-directory.ts'
import { waitFailure, withFailures, withHint } from './to-failure.ts'

export interface SuggestActivityDeps {
  readonly db: Db
  /** Its requests go before those of runs. */
  readonly services: ServiceDirectory
}

const NAMES_ASKED = 10
/** Some have no name. */
const RECORDS_DRAWN = 50
const RETRY_MS = 2_000

/** Of the texts that properties are found by, where no project says it. */
const USUAL_LANGUAGE = 'en'

export function createSuggestActivities({ db, services }: SuggestActivityDeps): SuggestActivities {
  return {
    suggestTypes: ({ projectId }) =>
      askOutside(async () => {
        const { settings, datasetId } = await existingProject(db, projectId)
        const records = await randomRecords(db, datasetId, RECORDS_DRAWN)
        const queries = records
          .flatMap((cells) => nameQuery(mapRecord(cells, settings).names, settings))
          .slice(0, NAMES_ASKED)
        const known = services.find(settings.service, projectId)
        const call = serviceCall(db)
        const { batchSize } = await known.check(call, true)
        const { results } = await known.ask(
          queries.map((query, id) => ({ id, query })),
          { signal: call.signal, batchSize, onAttempt: call.onExchange },
        )
        const answered = results.flatMap((result) =>
          result.status === 'answered' ? [result.list] : [],
        )
        const lists = await dressedLists(db, known, settings, answered, call)
        return {
          asked: queries.length,
          failed: results.length - lists.length,
          types: rankTypes(lists.map(({ candidates }) => candidates)),
        }
      }),

    suggestProperties: ({ service, projectId, text }) =>
      askOutside(async () => {
        const project = projectId === 0 ? undefined : await existingProject(db, projectId)
        const [language = USUAL_LANGUAGE] = project?.settings.languages ?? []
        const known = services.find(service, projectId)
        const properties = await known.suggestProperties(text, language, serviceCall(db))
        return { isOffered: properties !== null, properties: properties ?? [] }
      }),

    searchItems: ({ searchId }) =>
      askOutside(async () => {
        const search = await findSearch(db, searchId)
        if (search === undefined) return { items: [] }
        const { settings } = await existingProject(db, search.projectId)
        const known = services.find(settings.service, search.projectId)
        const call = serviceCall(db)
        await known.check(call)
        // Whoever searches by hand has seen what is of the type.
        const [query] = nameQuery([search.text], { ...settings, types: [] })
        if (query === undefined) return { items: [] }
        const { results } = await known.ask([{ id: 0, query }], {
          signal: call.signal,
          batchSize: 1,
          onAttempt: call.onExchange,
        })
        const lists = results.flatMap((result) => {
          if (result.status === 'answered') return [result.list]
          throw result.error
        })
        const [list] = await dressedLists(db, known, settings, lists, call)
        const items = (list?.candidates ?? []).map(({ id, name, description }) => ({
          id,
          name,
          description,
        }))
        return { items }
      }),
  }
}

/** The question about a name alone, as a run would ask it first. */
function nameQuery(names: readonly string[], settings: ProjectSettings): readonly LookupQuery[] {
  const record = { names: names.slice(0, 1), types: [], properties: [] }
  return lookupsOf(record, settings).slice(0, 1)
}

function serviceCall(db: Db): ServiceCall {
  return {
    signal: cancellationSignal(),
    onExchange: (exchange) => recordExchange(db, null, exchange, []),
  }
}

/** Waits are retried while the command has patience; what no retry can mend ends it. */
export function askOutside<T>(body: () => Promise<T>): Promise<T> {
  return withFailures(() =>
    withHeartbeat(async () => {
      try {
        return await body()
      } catch (error) {
        if (!(error instanceof OutsideCallError)) throw error
        if (error.kind === 'endpoint' || error.kind === 'permanent') {
          throw ApplicationFailure.nonRetryable(withHint(error), error.code)
        }
        const delayMs = Math.min(error.retryAfterMs ?? RETRY_MS, lookAgainMs)
        throw waitFailure(error.code, error.message, delayMs)
      }
    }),
  )
}
