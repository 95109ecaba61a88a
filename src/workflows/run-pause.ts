/**
 * What stands still and why, at the top of a run.
 *
 *   RUNNING ── pause(reason) ──▶ PAUSED ── resume ──▶ (probe, unless paused by a person) ──▶ RUNNING
 *                                   ▲                          │ turned away again
 *                                   └──────────────────────────┘
 *
 * Commands are taken one after the other: the run row first, which the fetch guard of every task reads, then the
 * children; of a pause only those that would start more. While a command waits to be taken nothing new starts.
 */
import { condition, patched, proxyActivities, setHandler } from '@temporalio/workflow'
import type { RunActivities, ServiceActivities } from '../activities/activity-contracts.ts'
import type { PauseInput, ResumeInput } from '../activities/pause-input.ts'
import { PAUSED_BY_USER, type PauseRequest } from '../core/run-progress.ts'
import { databaseProfile, outsideProfile } from './activity-options.ts'
import { type ChildrenInFlight, resumeTasks, tellChildren } from './children-in-flight.ts'
import { pauseSignal, resumeSignal } from './messages.ts'
import { pausedReasonOf } from './paused-failure.ts'

const { pauseRun, resumeRun } = proxyActivities<RunActivities>(databaseProfile)
const { checkService } = proxyActivities<ServiceActivities>(outsideProfile)

/** How a kind of run is held and let go. */
export interface PauseActivities {
  pause(input: PauseInput): Promise<void>
  resume(input: ResumeInput): Promise<void>
  /** One request finds out whether the service lets us in again, before everybody tries. */
  probe(runId: number): Promise<unknown>
}

const ofMatch: PauseActivities = {
  pause: pauseRun,
  resume: resumeRun,
  probe: (runId) => checkService({ runId, isProbe: true }),
}

export interface RunPause {
  readonly pausedReason: string | null
  /** Resumes so far. */
  readonly resumes: number
  /** Nothing is paused, and no command waits to be taken. */
  readonly isRunning: boolean
  /** Pauses from inside the run, as the signal does from outside. */
  pause(request: PauseRequest): void
  /**
   * Takes commands as they come; never returns.
   * @param doStartMore whether the children start others, and so must know of a pause; default: they do
   */
  keepInStep(runId: number, children: ChildrenInFlight, doStartMore?: () => boolean): Promise<void>
}

type Command = PauseRequest | 'resume'

/** Registers the handlers of `pause` and `resume`. */
export function createRunPause(activities: PauseActivities = ofMatch): RunPause {
  const commands: Command[] = []
  let pausedReason: string | null = null
  let resumes = 0
  let movedAtMs = 0
  // Later than the one before, also where a clock was set back: otherwise a resume would be taken for an old one.
  const momentMs = (): number => (movedAtMs = Math.max(movedAtMs + 1, Date.now()))
  setHandler(pauseSignal, (request) => void commands.push(request))
  setHandler(resumeSignal, () => void commands.push('resume'))

  return {
    get pausedReason() {
      return pausedReason
    },
    get resumes() {
      return resumes
    },
    get isRunning() {
      return pausedReason === null && commands.length === 0
    },
    pause(request) {
      commands.push(request)
    },
    async keepInStep(runId, children, doStartMore = () => true) {
      for (;;) {
        await condition(() => commands.length > 0)
        const command = commands[0]
        if (command === 'resume') {
          const turnedAway =
            pausedReason === null || pausedReason === PAUSED_BY_USER
              ? undefined
              : await probe(activities, runId)
          if (turnedAway === undefined) {
            await activities.resume({ runId, atMs: momentMs() })
            pausedReason = null
            resumes += 1
            // Who starts more waits for nothing else; tasks find out by themselves.
            if (doStartMore()) await tellChildren(children, resumeSignal, { resumes })
            else await resumeTasks(children, { resumes })
          } else {
            pausedReason = turnedAway
            await activities.pause({ runId, reason: turnedAway, atMs: momentMs() })
          }
        } else if (command !== undefined && pausedReason === null && isNews(command, resumes)) {
          const { reason } = command
          pausedReason = reason
          await activities.pause({ runId, reason, atMs: momentMs() })
          if (doStartMore() || !patched('starters-know-of-pauses')) {
            await tellChildren(children, pauseSignal, { reason })
          }
        }
        commands.shift()
      }
    },
  }
}

// A refusal from before the last resume says nothing about now.
function isNews(request: PauseRequest, resumes: number): boolean {
  return request.resumes === undefined || request.resumes >= resumes
}

async function probe(activities: PauseActivities, runId: number): Promise<string | undefined> {
  try {
    await activities.probe(runId)
    return undefined
  } catch (error) {
    const reason = pausedReasonOf(error)
    if (reason === undefined) throw error
    return reason
  }
}
