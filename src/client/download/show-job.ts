import { attemptsOf, findJob, findJobByAddress } from '../../db/job-report.repo.ts'
import { cancelJobs, reopenJobs } from '../../db/job-intake.repo.ts'
import type { Db } from '../../db/connect.ts'
import { artifactTraceId } from '../../core/trace-place.ts'
import { plainDoi } from '../../core/download/artifact-id.ts'
import { parseHttpUrl } from '../../http/http-url.ts'
import { sha256Hex } from '../../db/sha256.ts'
import { UsageError } from '../../errors.ts'
import { jobsAddedSignal } from '../../workflows/messages.ts'
import type { QueueFlag } from '../commands/download-flags.ts'
import type { OutputFlag } from '../commands/download.ts'
import { withCommandContext } from '../command-context.ts'
import { withMatchContext } from '../match/match-context.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { failedFiles } from './failed-files.ts'
import { knownQueue, reconciledQueue, tellDispatcher } from './opened-queue.ts'
import { printQueue } from './queue-report.ts'

/** The command `download show`. */
export async function showJob(which: string, flags: QueueFlag & OutputFlag): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const job = await knownJob(db, flags.queue, which)
    const attempts = await attemptsOf(db, job.id)
    const { artifact_json: artifact, claim: _claim, attempt_token: _token, ...facts } = job
    const traceId = artifactTraceId(
      { queue: job.queue, id: job.id, artifactId: job.artifact_id },
      sha256Hex,
    )
    const shown = { ...facts, artifact, trace_id: traceId, attempts_made: attempts }
    printAnswer(flags.output, shown, () =>
      [
        `${job.artifact_id}: ${job.state}${job.reason === null ? '' : ` (${job.reason})`}`,
        ...(job.last_error === null ? [] : [`  ${job.last_error}`]),
        ...(job.sha256 === null
          ? []
          : [
              `  ${job.display_name ?? 'no name'}, ${job.bytes} bytes, ${job.content_type ?? 'of no known type'}, sha256 ${job.sha256}`,
            ]),
        tableText(
          ['at', 'attempt', 'resolver', 'what', 'host', 'status', 'reason', 'cache', 'ms'],
          attempts.map((one) => [
            one.at.toISOString().slice(0, 19),
            one.attempt,
            one.resolver,
            one.verb,
            one.host,
            one.status,
            one.reason,
            one.cache_status,
            one.latency_ms,
          ]),
        ),
      ].join('\n'),
    )
    if (job.state === 'error') {
      const { id, artifact_id: known, last_error: error, reason } = job
      const group = { reason: reason ?? 'unknown', jobs: 1, example: id, artifact: known, error }
      const { advice, next } = failedFiles(flags.queue, group)
      for (const line of [advice, ...next.slice(1)]) say(line)
    }
  })
}

async function knownJob(db: Db, queue: string, which: string) {
  await knownQueue(db, queue)
  const job =
    (await findJob(db, queue, which)) ??
    (await findJob(db, queue, `url:${parseHttpUrl(which)?.href ?? which}`)) ??
    (await findJob(db, queue, `doi:${plainDoi(which) ?? which}`)) ??
    (await findJobByAddress(db, queue, which))
  if (job !== undefined) return job
  throw new UsageError({
    code: 'unknown_job',
    message: `The queue ${queue} has no file "${which}"; expected its number, its address, or what it is known by, such as doi:10.1000/182.`,
  })
}

export interface RetryJobsFlags extends QueueFlag, OutputFlag {
  readonly reason?: string
  readonly job?: readonly string[]
}

/** The command `download retry-failed`. */
export async function retryJobs(flags: RetryJobsFlags): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    const { queue: name, reason } = flags
    const queue = await reconciledQueue(client, db, name)
    const ids =
      flags.job === undefined
        ? undefined
        : await Promise.all(flags.job.map(async (one) => (await knownJob(db, name, one)).id))
    const reopened = await reopenJobs(db, name, { reason, ids })
    if (reopened > 0) await tellDispatcher(client, name, jobsAddedSignal, [])
    say(`${reopened} failed files wait to be tried again.`)
    await printQueue(db, queue, flags.output)
  })
}

/** `download cancel` of some files: those that wait will not be fetched. */
export async function skipJobs(
  flags: QueueFlag & OutputFlag & { readonly job: readonly string[] },
): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    const { queue: name } = flags
    const queue = await reconciledQueue(client, db, name)
    const jobs = await Promise.all(flags.job.map((one) => knownJob(db, name, one)))
    const skipped = await cancelJobs(
      db,
      name,
      jobs.map(({ id }) => id),
    )
    say(`${skipped} files will not be fetched.`)
    if (skipped < jobs.length) say('The others are not waiting: they are on their way, or over.')
    await printQueue(db, queue, flags.output)
  })
}
