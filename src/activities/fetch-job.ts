/** One attempt at a job: its ways are tried in turn until one leads to the file. */
import type { ArtifactPlan } from '../core/download/artifact-plan.ts'
import { triesNextPlan } from '../core/download/failure-reason.ts'
import type { AskedPage } from '../core/download/resolver.ts'
import { resolversFor } from '../core/download/resolvers.ts'
import { domainKey } from '../core/domain-key.ts'
import { DownloadError } from '../http/download/download-error.ts'
import { askPage } from './ask-page.ts'
import { fetchPlan, type PlanContext } from './fetch-plan.ts'
import { withCredentials } from './plan-credentials.ts'

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
          return ask(context, resolver.name, url)
        },
      })
    } catch (error) {
      failed(error, asked)
    }
    for (const plan of ways) {
      log.begin(plan.resolver, plans)
      plans += 1
      try {
        await heedRobots(context, plan)
        return await fetchPlan(context, withLimits(plan, context))
      } catch (error) {
        failed(error, hostOf(plan.url) ?? job.host)
      }
    }
  }
  throw trouble ?? new JobTrouble(noPlan(), job.host)
}

async function ask(context: PlanContext, resolver: string, url: string): Promise<AskedPage> {
  await context.mayAsk()
  const page = withCredentials({ resolver, url }, context.credentials)
  return askPage(context.fetcher, page, pageCall(context))
}

async function heedRobots(context: PlanContext, { resolver, url }: ArtifactPlan): Promise<void> {
  const { robots, cache } = context.options
  if (robots !== 'obey' || cache === 'offline') return
  await context.robots.check(url, (page) => ask(context, resolver, page))
}

function pageCall({ signal, job, log }: PlanContext) {
  return {
    signal,
    project: `download/${job.queue}`,
    attempt: job.attempt,
    onExchange: log.exchange,
  }
}

function withLimits(plan: ArtifactPlan, { options, credentials }: PlanContext): ArtifactPlan {
  const { head, minBytes, robots } = options
  const wished = {
    expected: { ...(minBytes > 0 ? { minBytes } : {}), ...plan.expected },
    ...(head ? { needsHead: true } : {}),
    ...(robots === 'ignore' ? {} : { honourRobotsTag: true }),
  }
  return withCredentials({ ...plan, ...wished }, credentials)
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
