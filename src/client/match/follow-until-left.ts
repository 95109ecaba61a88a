import { exitCodes } from '../exit-codes.ts'
import { say } from '../output.ts'
import type { ProgressLine } from '../progress-line.ts'
import { type FollowEnd, followRun } from './follow-run.ts'
import type { MatchContext } from './match-context.ts'
import type { MatchHandle } from './start-match.ts'

export interface FollowedRun {
  readonly projectId: number
  readonly handle: MatchHandle
  readonly temporalRunId: string
}

/** Follows a run until it ends, stands still for good, or Ctrl-C; then says how to come back, and the exit code is that of a run left going. */
export async function followUntilLeft(
  context: MatchContext,
  { projectId, handle, temporalRunId }: FollowedRun,
  line: ProgressLine,
): Promise<FollowEnd> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  process.once('SIGINT', leave)
  try {
    const end = await followRun(context, handle, temporalRunId, line, leaving.signal)
    if (end === 'detached') {
      say(leftText(projectId))
      process.exitCode = exitCodes.interrupted
    }
    return end
  } finally {
    process.off('SIGINT', leave)
  }
}

/** How to come back to a run that was left, whatever its options. */
function leftText(projectId: number): string {
  return (
    `\nLeft. The run goes on; follow it again: ./record-linker status --project ${projectId} --watch\n` +
    `or stop it: ./record-linker cancel-match --project ${projectId}`
  )
}
