/** Tells a slow body from a standing one. Bytes are counted per window; time in which we do not read does not count. Pure. */

export interface PaceLimits {
  readonly idleMs: number
  readonly windowMs: number
  readonly leastBytesPerWindow: number
}

export interface Pace {
  readonly lastByteMs: number
  readonly windowFromMs: number
  readonly windowBytes: number
}

export function startPace(nowMs: number): Pace {
  return { lastByteMs: nowMs, windowFromMs: nowMs, windowBytes: 0 }
}

export function countBytes(pace: Pace, bytes: number, nowMs: number): Pace {
  return { ...pace, lastByteMs: nowMs, windowBytes: pace.windowBytes + bytes }
}

/** The verdict at a time, and the pace to go on with: a window that is full begins anew. */
export function judgePace(
  pace: Pace,
  nowMs: number,
  limits: PaceLimits,
): { readonly pace: Pace; readonly fault: 'stalled' | 'too-slow' | null } {
  if (nowMs - pace.lastByteMs >= limits.idleMs) return { pace, fault: 'stalled' }
  if (nowMs - pace.windowFromMs < limits.windowMs) return { pace, fault: null }
  if (pace.windowBytes < limits.leastBytesPerWindow) return { pace, fault: 'too-slow' }
  return { pace: { ...pace, windowFromMs: nowMs, windowBytes: 0 }, fault: null }
}
