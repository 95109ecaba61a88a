/** One attempt at a job: its ways are tried in turn until one leads to the file. */
import type { ArtifactPlan } from '../core/download/artifact-plan.ts'
import { triesNextPlan } from '../core/download/failure-reason.ts'
import { resolversFor } from '../core/download/resolvers.ts'
import { domainKey } from '../core/domain-key.ts'
import { DownloadError } from '../http/download/download-error.ts'
import { askPage } from './ask-page.ts'
import { fetchPlan, type PlanContext } from './fetch-plan.ts'

/** An attempt that failed, and whom it asked last. */
export class JobTrouble {
  readonly error: unknown
  readonly host: string

  constructor(error: unknown, host: string) {
    this.error = error
    this.host = host
  }
}

/** Fetches a file, and ends the attempt. @throws JobTrouble; the signal's reason */
export async function fetchJob(context: PlanContext): Promise<void> {
  const { job, options, log, signal } = context
  let trouble: JobTrouble | undefined
  let plans = 0
  const failed = (error: unknown, host: string) => {
    signal.throwIfAborted()
    const now = new JobTrouble(error, host)
    if (!mayGoOn(error)) throw now
    trouble = worthier(trouble, now)
  }
  for (const resolver of resolversFor(job.artifact, job.resolverHint, options)) {
    log.begin(resolver.name, -1)
    let ways: readonly ArtifactPlan[] = []
    let asked = job.host
    try {
      ways = await resolver.plans(job.artifact, {
        ask: (url) => {
          asked = domainKey(url)
          return askPage(context.fetcher, { resolver: resolver.name, url }, pageCall(context))
        },
      })
    } catch (error) {
      failed(error, asked)
    }
    for (const plan of ways) {
      log.begin(plan.resolver, plans)
      plans += 1
      try {
        return await fetchPlan(context, withLimits(plan, options))
      } catch (error) {
        failed(error, hostOf(plan.url) ?? job.host)
      }
    }
  }
  throw trouble ?? new JobTrouble(noPlan(), job.host)
}

function pageCall({ signal, job, log }: PlanContext) {
  return {
    signal,
    project: `download/${job.queue}`,
    attempt: job.attempt,
    onExchange: log.exchange,
  }
}

function withLimits(plan: ArtifactPlan, { head, minBytes }: PlanContext['options']): ArtifactPlan {
  const expected = { ...(minBytes > 0 ? { minBytes } : {}), ...plan.expected }
  return { ...plan, expected, ...(head ? { needsHead: true } : {}) }
}

/** Another way may do better; who wants us to wait, or a full disk, is not got round. */
function mayGoOn(error: unknown): boolean {
  return (
    error instanceof DownloadError && (triesNextPlan(error.reason) || error.kind === 'transient')
  )
}

/** Of two failures the one that gives the job another attempt. */
function worthier(before: JobTrouble | undefined, now: JobTrouble): JobTrouble {
  const isTransient = before?.error instanceof DownloadError && before.error.kind === 'transient'
  return before !== undefined && isTransient ? before : now
}

function noPlan(): DownloadError {
  return new DownloadError({
    reason: 'no-plan',
    message:
      'No resolver knows a way to it; expected an address, a DOI with a document, or a name on Commons.',
  })
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? domainKey(url) : undefined
}
