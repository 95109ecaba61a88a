/**
 * Pause and resume as shards and tasks see them. OPEN → (signal pause) → PAUSED → (signal resume) → OPEN for
 * those that start others; a task is told of resumes only, and reads in its run whether it may ask. What pauses a run,
 * and whether it may go on, is the project's business (`run-pause.ts`). Resumes are counted, so that one which arrives
 * between a refusal and its handling is not missed.
 */
import { condition, setHandler } from '@temporalio/workflow'
import { pauseSignal, resumeSignal } from './messages.ts'

export interface ResumeGate {
  readonly isOpen: boolean
  /** Resumes of the run so far. */
  readonly resumes: number
}

const FIRST_RECHECK_MS = 10_000
const LONGEST_RECHECK_MS = 60 * 60 * 1000

/**
 * Registers the handlers of `pause` and `resume`.
 * @param resumes of the run before this workflow started
 */
export function createResumeGate(resumes: number): ResumeGate {
  const gate = { isOpen: true, resumes }
  setHandler(pauseSignal, () => {
    gate.isOpen = false
  })
  setHandler(resumeSignal, (notice) => {
    gate.isOpen = true
    gate.resumes = notice?.resumes ?? gate.resumes + 1
  })
  return gate
}

/**
 * Waits for a resume later than the `seenResumes`-th, or until it is time to look again: 10 s, then twice as long each
 * time up to an hour. A lost signal thus delays a task and never loses it.
 */
export async function waitForResume(
  gate: ResumeGate,
  seenResumes: number,
  recheck: number,
): Promise<void> {
  const waitMs = Math.min(LONGEST_RECHECK_MS, FIRST_RECHECK_MS * 2 ** Math.min(recheck, 20))
  await condition(() => gate.resumes > seenResumes, waitMs)
}
