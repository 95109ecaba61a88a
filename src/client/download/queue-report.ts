import type { Db } from '../../db/connect.ts'
import type { DownloadQueue } from '../../db/download-queues.repo.ts'
import { type QueueStats, queueStats, waitedFor } from '../../db/job-report.repo.ts'
import { exitCodes } from '../exit-codes.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { bytesText } from './bytes-text.ts'

const HOSTS_SHOWN = 5

/** How a queue stands, as `-o json` prints it. */
export async function readQueueReport(db: Db, queue: DownloadQueue) {
  const stats = await queueStats(db, queue.name)
  const hosts = await waitedFor(db, queue.name, HOSTS_SHOWN)
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
      ...Object.entries(stats.reasons).map(([reason, jobs]) => `  ${reason}: ${jobs}`),
      ...hosts.map(({ host, jobs, reason }) => `  ${jobs} wait for ${host}: ${reason}`),
      ...(stats.later > 0 ? [`  ${stats.later} of those queued wait for a time of theirs`] : []),
    ].join('\n')
  })
  sayNext(queue, stats)
  return stats
}

function sayNext({ name, pausedReason, temporalRunId }: DownloadQueue, stats: QueueStats): void {
  const flag = name === 'default' ? '' : ` --queue ${name}`
  if (pausedReason !== null) {
    say(`Paused: ${pausedReason}\nLet it go on: ./record-linker download resume${flag}`)
  } else if (temporalRunId === null && stats.states.queued > 0) {
    say(`Fetch them: ./record-linker download run --drain${flag}`)
  } else if (stats.states.error > 0) {
    say(`Try what failed again: ./record-linker download retry-failed${flag}`)
  }
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
