/**
 * What the command `suggest` needs of a service, asked here because every request needs a permit. Names are read from
 * the database, so no cell text is in a payload.
 */
import { cancellationSignal } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { mapRecord } from '../core/matching/mapped-record.ts'
import { isTooLong } from '../core/matching/lookups.ts'
import { lookAgainMs } from '../core/wait-delay.ts'
import { rankTypes } from '../core/suggestions.ts'
import type { Db } from '../db/connect.ts'
import { randomRecords } from '../db/random-records.ts'
import { OutsideCallError } from '../errors.ts'
import type { Exchange } from '../http/exchange-record.ts'
import type { HttpClient } from '../http/http-client.ts'
import { defaultBatchSize } from '../http/reconciliation/reconciliation-client.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'
import { suggestProperties } from '../http/reconciliation/suggest-properties.ts'
import type { SuggestActivities } from './activity-contracts.ts'
import { existingProject } from './existing-project.ts'
import { withHeartbeat } from './heartbeat.ts'
import { recordExchange } from './record-exchange.ts'
import type { ServiceDirectory } from './service-directory.ts'
import { waitFailure, withFailures, withHint } from './to-failure.ts'

export interface SuggestActivityDeps {
  readonly db: Db
  readonly http: Pick<HttpClient, 'request'>
  readonly services: ServiceDirectory
  readonly credentials: ServiceCredentials
}

const NAMES_ASKED = 10
/** Some have no name. */
const RECORDS_DRAWN = 50
const RETRY_MS = 2_000

export function createSuggestActivities(deps: SuggestActivityDeps): SuggestActivities {
  const { db, http, credentials } = deps
  return {
    suggestTypes: ({ projectId }) =>
      askOutside(async () => {
        const { settings, datasetId } = await existingProject(db, projectId)
        if (settings.service === WIKIDATA) throw notOffered()
        const names = (await randomRecords(db, datasetId, RECORDS_DRAWN))
          .flatMap((cells) => mapRecord(cells, settings).names.slice(0, 1))
          .filter((name) => !isTooLong(name))
          .slice(0, NAMES_ASKED)
        const { client, manifest, signal } = await openService(deps, settings.service, projectId)
        const { limit } = settings
        const { results } = await client.ask(
          names.map((query, id) => ({ id, query: { query, types: [], limit, properties: [] } })),
          {
            signal,
            batchSize: manifest.batchSize ?? defaultBatchSize,
            onAttempt: (attempt) => recordExchange(db, null, attempt, []),
          },
        )
        const lists = results.flatMap((result) =>
          result.status === 'answered' ? [result.list.candidates] : [],
        )
        const failed = results.length - lists.length
        return { asked: names.length, failed, types: rankTypes(lists) }
      }),

    suggestProperties: ({ service, projectId, text }) =>
      askOutside(async () => {
        if (service === WIKIDATA) return { isOffered: false, properties: [] }
        const { manifest, signal } = await openService(deps, service, projectId)
        const { suggestPropertyUrl, authentication } = manifest
        if (suggestPropertyUrl === null) return { isOffered: false, properties: [] }
        const properties = await suggestProperties(http, suggestPropertyUrl, text, {
          signal,
          project: `project/${projectId}`,
          authentication,
          credentials,
        })
        return { isOffered: true, properties }
      }),
  }
}

/** Asked through its own API, which has no manifest. */
const WIKIDATA = 'wikidata'

function notOffered(): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    'Types can be suggested by a W3C reconciliation service only; the project asks Wikidata itself.',
    'not_offered',
  )
}

async function openService(
  { db, services }: SuggestActivityDeps,
  service: string,
  projectId: number,
) {
  const signal = cancellationSignal()
  const known = services.find(service, projectId)
  const exchanges: Exchange[] = []
  try {
    const manifest = await known.manifest(signal, (exchange) => void exchanges.push(exchange), true)
    return { client: known.client, manifest, signal }
  } finally {
    for (const exchange of exchanges) await recordExchange(db, null, exchange, [])
  }
}

/** Waits are retried while the command has patience; what no retry can mend ends it. */
function askOutside<T>(body: () => Promise<T>): Promise<T> {
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
