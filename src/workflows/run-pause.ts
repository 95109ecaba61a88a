/**
 * What stands still and why, at the top of a run.
 *
 *   RUNNING ── pause(reason) ──▶ PAUSED ── resume ──▶ (probe, unless paused by a person) ──▶ RUNNING
 *                                   ▲                          │ turned away again
 *                                   └──────────────────────────┘
 *
 * Commands are taken one after the other: the run row first, which the fetch guard of every task reads, then the
 * children. While a command waits to be taken nothing new starts.
 */
import { condition, proxyActivities, setHandler } from '@temporalio/workflow'
import type { RunActivities, ServiceActivities } from '../activities/activity-contracts.ts'
import { PAUSED_BY_USER } from '../core/run-progress.ts'
import { databaseProfile, outsideProfile } from './activity-options.ts'
import { type ChildrenInFlight, pauseChildren, resumeChildren } from './children-in-flight.ts'
import { pauseSignal, resumeSignal } from './messages.ts'
import { pausedReasonOf } from './paused-failure.ts'

const { pauseRun, resumeRun } = proxyActivities<RunActivities>(databaseProfile)
const { checkService } = proxyActivities<ServiceActivities>(outsideProfile)

export interface RunPause {
  readonly pausedReason: string | null
  /** Nothing is paused, and no command waits to be taken. */
  readonly isRunning: boolean
  /** Pauses from inside the run, as the signal does from outside. */
  pause(reason: string): void
  /** Takes commands as they come; never returns. */
  keepInStep(runId: number, children: ChildrenInFlight): Promise<void>
}

type Command = { readonly pause: string } | 'resume'

/** Registers the handlers of `pause` and `resume`. */
export function createRunPause(): RunPause {
  const commands: Command[] = []
  let pausedReason: string | null = null
  setHandler(pauseSignal, ({ reason }) => void commands.push({ pause: reason }))
  setHandler(resumeSignal, () => void commands.push('resume'))

  return {
    get pausedReason() {
      return pausedReason
    },
    get isRunning() {
      return pausedReason === null && commands.length === 0
    },
    pause(reason) {
      commands.push({ pause: reason })
    },
    async keepInStep(runId, children) {
      for (;;) {
        await condition(() => commands.length > 0)
        const command = commands[0]
        if (command === 'resume') {
          const turnedAway =
            pausedReason === null || pausedReason === PAUSED_BY_USER
              ? undefined
              : await probe(runId)
          if (turnedAway === undefined) {
            await resumeRun({ runId })
            pausedReason = null
            await resumeChildren(children)
          } else {
            pausedReason = turnedAway
            await pauseRun({ runId, reason: turnedAway })
          }
        } else if (command !== undefined && pausedReason === null) {
          pausedReason = command.pause
          await pauseRun({ runId, reason: command.pause })
          await pauseChildren(children, { reason: command.pause })
        }
        commands.shift()
      }
    },
  }
}

// One request finds out whether the service lets us in again, before every task tries.
async function probe(runId: number): Promise<string | undefined> {
  try {
    await checkService({ runId })
    return undefined
  } catch (error) {
    const reason = pausedReasonOf(error)
    if (reason === undefined) throw error
    return reason
  }
}
