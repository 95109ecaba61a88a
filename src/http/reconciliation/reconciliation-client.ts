/** A W3C reconciliation service as we ask it: its manifest, and candidates for lookups. */
import { OutsideCallError } from '../../errors.ts'
import type { Exchange } from '../exchange-record.ts'
import type { RequestTimeouts } from '../exchange.ts'
import type { HttpClient } from '../http-client.ts'
import { askLookups, type AskedLookups, type BatchSender, type SentReading } from './ask-lookups.ts'
import { batchFault } from './batch-failure.ts'
import type { LookupAnswer } from './batch-protocol.ts'
import { createBatchRoute } from './batch-route.ts'
import {
  afterGoodBatch,
  afterSlowBatch,
  afterTooLargeBatch,
  startingBatchSize,
} from './batch-size.ts'
import { cleanText } from '../clean-text.ts'
import { failedLookup, type LookupResult, type LookupToAsk } from './lookup-result.ts'
import { createRefusalRow } from './refusal-row.ts'
import { blankQuery, notAManifest } from './service-errors.ts'
import { readManifest, type ReconciliationManifest } from './read-manifest.ts'
import { sendBatch } from './send-batch.ts'
import type { ServiceCredentials } from './service-credentials.ts'

export interface ReconciliationClientOptions {
  readonly http: Pick<HttpClient, 'request'>
  /** The endpoint. */
  readonly url: string
  /** Whose requests these are, for fairness between projects. */
  readonly project: string
  readonly timeouts?: Partial<RequestTimeouts>
  /** Default: none; a service whose manifest wants them is not asked then. */
  readonly credentials?: ServiceCredentials
  /** A batch size learned earlier (`AskOutcome.learnedBatchSize`), if any. */
  readonly learnedBatchSize?: number | undefined
}

/** One request that left this machine on behalf of these lookups. */
export interface LookupAttempt extends Exchange {
  readonly lookupIds: readonly number[]
}

export interface AskOptions {
  readonly signal: AbortSignal
  /** Most lookups in one request; default 10. The manifest and what was learned can make it less. */
  readonly batchSize?: number
  /** Gets each result once, as soon as it is final; awaited before the next request is sent. */
  readonly onAnswer?: (results: readonly LookupResult[]) => Promise<void> | void
  /** Told of every request, redirect hops too, once it has ended; awaited. For the record, not for counting. */
  readonly onAttempt?: (attempt: LookupAttempt) => Promise<void> | void
}

export interface AskOutcome extends AskedLookups {
  /** Queries per batch as learned so far, to be given back later; undefined as long as nothing was. */
  readonly learnedBatchSize: number | undefined
}

export interface ReconciliationClient {
  /**
   * Reads the manifest and, through it, where batches go and how many queries fit.
   * @throws OutsideCallError, kind `endpoint` when this is no reconciliation service we can speak to, or it wants
   *   credentials and has none for it.
   */
  manifest(
    signal: AbortSignal,
    onExchange?: (exchange: Exchange) => void,
  ): Promise<ReconciliationManifest>
  /**
   * Asks for candidates, batch by batch. On return each lookup is answered or has failed one attempt.
   * @throws OutsideCallError when the service as a whole cannot be asked now (all kinds but `permanent`):
   *   what was final by then has been delivered, what is missing is to be asked again.
   * @throws the signal's reason when aborted; whatever onAnswer or onAttempt throws.
   */
  ask(lookups: readonly LookupToAsk[], options: AskOptions): Promise<AskOutcome>
}

/** What a service that says nothing about it is sent at once (OpenRefine's default). */
export const defaultBatchSize = 10

/** What is learned (address, batch size) holds for the life of the client; make one per service and process. */
export function createReconciliationClient(
  options: ReconciliationClientOptions,
): ReconciliationClient {
  const { http, url, project, timeouts = {} } = options
  const route = createBatchRoute(url, options.credentials ?? {})
  let manifestBatchSize = Number.POSITIVE_INFINITY
  let size = startingBatchSize(options.learnedBatchSize)
  const refusals = createRefusalRow()

  async function send(
    group: readonly LookupToAsk[],
    ask: AskOptions,
  ): Promise<SentReading<LookupAnswer>> {
    const queries = group.map(({ query }) => query)
    const lookupIds = group.map(({ id }) => id)
    try {
      const sent = await sendBatch(
        http,
        {
          ...route.encode(queries),
          signal: ask.signal,
          project,
          attempt: 1 + Math.max(...group.map(({ attempts = 0 }) => attempts)),
          timeouts,
        },
        (bodyText) => route.read(bodyText, queries),
        (exchange) => ask.onAttempt?.({ ...exchange, lookupIds }),
      )
      route.arrived(sent.url)
      return { ...sent.reading, language: sent.language }
    } catch (error) {
      if (isGone(error)) route.lost()
      throw error
    }
  }

  function sender(ask: AskOptions): BatchSender {
    const asked = Math.max(1, ask.batchSize ?? defaultBatchSize)
    return {
      batchSize: () => Math.min(asked, manifestBatchSize, size.limit),
      send: (group) => send(group, ask),
      answered(queries) {
        refusals.answered()
        size = afterGoodBatch(size, queries)
      },
      failed(queries, error) {
        const fault = batchFault(error)
        if (fault === 'too_large') size = afterTooLargeBatch(size, queries)
        if (fault === 'slow') size = afterSlowBatch(size, queries)
        if (fault !== 'query' || error.kind !== 'permanent' || queries > 1) return
        refusals.refused(error)
      },
    }
  }

  return {
    async manifest(signal, onExchange = () => {}) {
      const request = { method: 'GET', url, signal, project, timeouts, onExchange } as const
      const response = await http.request(request).catch((error: unknown) => {
        throw notAManifest(error)
      })
      const manifest = readManifest(response.bodyText, response.url)
      route.follow(manifest)
      manifestBatchSize = manifest.batchSize ?? Number.POSITIVE_INFINITY
      return manifest
    },

    async ask(lookups, ask) {
      const deliver = ask.onAnswer ?? (() => {})
      const blank = lookups.filter(isBlank).map(({ id }) => failedLookup(id, blankQuery()))
      if (blank.length > 0) await deliver(blank)
      const asked = await askLookups(
        sender(ask),
        lookups.filter((lookup) => !isBlank(lookup)),
        deliver,
      )
      return {
        results: [...blank, ...asked.results],
        warnings: asked.warnings,
        learnedBatchSize: Number.isFinite(size.limit) ? size.limit : undefined,
      }
    },
  }
}

function isGone(error: unknown): boolean {
  return (
    error instanceof OutsideCallError && (error.kind === 'endpoint' || error.kind === 'unreachable')
  )
}

function isBlank({ query }: LookupToAsk): boolean {
  return cleanText(query.query).trim() === ''
}
