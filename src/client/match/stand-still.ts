/** What is said once when a run comes to stand still for longer than people like to wait. */
import { type DomainWait, domainWaitText, endWaitText } from './domain-wait.ts'

export interface StandStill {
  /** Why, and how it goes on. */
  readonly text: string
  /** The same for as long as it stands still for the same reason. */
  readonly reason: string
  /** Infinity where a person has to act. */
  readonly untilMs: number
}

/** A wait that is worth a line of its own; and how different two measurements of the same one may be. */
const LONG_MS = 60_000

/** @returns null while it does not stand still, or not for long. */
export function standStillOf(
  projectId: number,
  pausedReason: string | null,
  wait: DomainWait | null,
  nowMs: number,
): StandStill | null {
  if (pausedReason !== null) {
    const text = pausedText(projectId, pausedReason)
    return { text, reason: `run ${pausedReason}`, untilMs: Infinity }
  }
  if (wait === null || (wait.kind !== 'paused' && wait.forMs < LONG_MS)) return null
  const words = domainWaitText(wait, nowMs)
  const lines = [`It is ${words}.`, endWaitText(wait)].filter((line) => line !== '')
  return {
    text: lines.join('\n'),
    reason: `${wait.kind} ${wait.domain}`,
    untilMs: wait.kind === 'paused' ? Infinity : nowMs + wait.forMs,
  }
}

export function isNews(now: StandStill, said: StandStill | null): boolean {
  if (said === null || said.reason !== now.reason) return true
  return said.untilMs !== now.untilMs && Math.abs(said.untilMs - now.untilMs) > LONG_MS
}

/** Why a run stands still and how it goes on. */
export function pausedText(projectId: number, reason: string): string {
  return (
    `It is paused: ${reason}\n` +
    `Let it go on: ./record-linker resume-match --project ${projectId}`
  )
}
