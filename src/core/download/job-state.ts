/**
 * How a job may go from state to state; nothing else changes one.
 *
 *   queued ── claim ──▶ in_progress ── succeed ──▶ done
 *     ▲ │                 │   │ └──── skip ─────▶ skipped
 *     │ └── cancel ───▶ skipped │ fail, or retry at the limit ──▶ error ── reopen ──▶ queued
 *     └── retry (attempts + 1), park, hand back ┘
 *
 * While it waits for its turn a job stays in progress: it has given up its attempt, and begins another.
 */
export const jobStates = ['queued', 'in_progress', 'done', 'skipped', 'error'] as const
export type JobState = (typeof jobStates)[number]

export const jobEvents = [
  'claim',
  'succeed',
  'skip',
  'fail',
  'retry',
  'park',
  'handBack',
  'wait',
  'cancel',
  'reopen',
] as const
export type JobEvent = (typeof jobEvents)[number]

export interface JobStanding {
  readonly state: JobState
  /** Attempts that have failed. */
  readonly attempts: number
}

const FROM: Readonly<Record<JobEvent, JobState>> = {
  claim: 'queued',
  succeed: 'in_progress',
  skip: 'in_progress',
  fail: 'in_progress',
  retry: 'in_progress',
  park: 'in_progress',
  handBack: 'in_progress',
  wait: 'in_progress',
  cancel: 'queued',
  reopen: 'error',
}

/** The one state in which an event means anything. */
export function stateBefore(event: JobEvent): JobState {
  return FROM[event]
}

/** @returns undefined: in this state the event means nothing, and changes nothing */
export function after(
  { state, attempts }: JobStanding,
  event: JobEvent,
  maxAttempts: number,
): JobStanding | undefined {
  if (state !== FROM[event]) return undefined
  const failed = attempts + 1
  const outcomes: Readonly<Record<JobEvent, JobStanding>> = {
    claim: { state: 'in_progress', attempts },
    wait: { state: 'in_progress', attempts },
    succeed: { state: 'done', attempts },
    skip: { state: 'skipped', attempts },
    cancel: { state: 'skipped', attempts },
    fail: { state: 'error', attempts: failed },
    retry: { state: failed >= maxAttempts ? 'error' : 'queued', attempts: failed },
    park: { state: 'queued', attempts },
    handBack: { state: 'queued', attempts },
    reopen: { state: 'queued', attempts: 0 },
  }
  return outcomes[event]
}
