import type { Db } from '../../db/connect.ts'
import type { DownloadQueue } from '../../db/download-queues.repo.ts'
import { failedGroups, type QueueStats, queueStats, waitedFor } from '../../db/job-report.repo.ts'
import { exitCodes } from '../exit-codes.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { bytesText } from './bytes-text.ts'
import { type FailedFiles, failedFiles, failedFilesText } from './failed-files.ts'

const HOSTS_SHOWN = 5

/** How a queue stands, as `-o json` prints it. */
export async function readQueueReport(db: Db, queue: DownloadQueue) {
  const stats = await queueStats(db, queue.name)
  const hosts = await waitedFor(db, queue.name, HOSTS_SHOWN)
  const failures =
    stats.states.error === 0
      ? []
      : (await failedGroups(db, queue.name)).map((group) => failedFiles(queue.name, group))
  const { pausedReason, temporalRunId } = queue
  const data = {
    queue: queue.name,
    running: temporalRunId !== null,
    pausedReason,
    ...stats.states,
    later: stats.later,
    bytes: stats.bytes,
    failedAttempts: stats.attempts,
    reasons: stats.reasons,
    failures,
    flagged: stats.flagged,
    waitingFor: hosts,
  }
  return { data, stats, hosts }
}

/** Prints how a queue stands. */
export async function printQueue(
  db: Db,
  queue: DownloadQueue,
  output: OutputFormat,
): Promise<QueueStats> {
  const { data, stats, hosts } = await readQueueReport(db, queue)
  printAnswer(output, data, () => {
    const { temporalRunId, pausedReason } = queue
    const { queued, in_progress, done, skipped, error } = stats.states
    const how =
      temporalRunId === null ? 'not running' : pausedReason === null ? 'running' : 'paused'
    return [
      `Queue ${queue.name}: ${how}`,
      tableText(
        ['state', 'files'],
        [
          ['queued', queued],
          ['in progress', in_progress],
          ['done', `${done}  (${bytesText(stats.bytes)})`],
          ['skipped', skipped],
          ['error', error],
        ],
      ),
      ...data.failures.map(failedFilesText),
      ...hosts.map(({ host, jobs, reason }) => `  ${jobs} wait for ${host}: ${reason}`),
      ...(stats.later > 0 ? [`  ${stats.later} of those queued wait for a time of theirs`] : []),
    ].join('\n')
  })
  sayNext(queue, stats, data.failures)
  return stats
}

function sayNext(
  { name, pausedReason, temporalRunId }: DownloadQueue,
  stats: QueueStats,
  failures: readonly FailedFiles[],
): void {
  const flag = name === 'default' ? '' : ` --queue ${name}`
  if (pausedReason !== null) {
    say(`Paused: ${pausedReason}\nLet it go on: ./record-linker download resume${flag}`)
  } else if (temporalRunId === null && stats.states.queued > 0) {
    say(`Fetch them: ./record-linker download run --drain${flag}`)
  }
  for (const { reason, next } of failures)
    say([`What to do about ${reason}:`, ...next].join('\n  '))
  if (stats.flagged > 0) {
    say(
      `${stats.flagged} files have the content of many others of their host, as a login page has; see: ./record-linker download export --manifest manifest.jsonl${flag}`,
    )
  }
}

/** 3 where files have failed. */
export function exitFor(stats: QueueStats): number {
  return stats.states.error > 0 ? exitCodes.failedRecords : exitCodes.done
}
