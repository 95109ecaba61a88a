import type { DomainSnapshot } from '../../core/limiter/protocol.ts'
import { PARKED_MS } from '../../core/limiter/snapshot.ts'

/** What the limiter of a paused domain says: nothing is sent until it is resumed, which it notices in this time. */
const PAUSED_MS = 10_000

/**
 * A stored snapshot as it stands `ageMs` later: waits have gone on, and what an operator said meanwhile holds.
 * Counts and rates are of then.
 * @param pausedBecause null: it is not paused
 */
export function agedSnapshot(
  snapshot: DomainSnapshot,
  ageMs: number,
  pausedBecause: string | null,
): DomainSnapshot {
  const isPaused = pausedBecause !== null
  const wasWaiting = snapshot.hold !== null && snapshot.hold !== 'paused'
  const leftMs = wasWaiting ? Math.max(0, Math.ceil(snapshot.nextEarliest - ageMs)) : 0
  const parkedMs = Math.max(0, Math.ceil((snapshot.parkedForMs ?? 0) - ageMs))
  return {
    ...snapshot,
    hold: isPaused ? 'paused' : leftMs > 0 ? snapshot.hold : null,
    // Whoever asks next is a probe, and nobody may ask for days.
    state:
      snapshot.state === 'open' && ageMs >= snapshot.nextEarliest ? 'half_open' : snapshot.state,
    nextEarliest: isPaused ? Math.max(PAUSED_MS, leftMs) : leftMs,
    parkedForMs: leftMs > 0 && parkedMs > PARKED_MS ? parkedMs : null,
    pausedBecause,
  }
}
