/**
 * How fast work goes and when it will be done, from counts seen over the last minute. A pause or a resume from a
 * stand-still leaves the window within that minute.
 */

export interface RateSample {
  readonly atMs: number
  readonly done: number
}

const WINDOW_MS = 60_000
const LEAST_SPAN_MS = 500

/** Adds a sample and forgets those older than the window. */
export function addSample(
  samples: readonly RateSample[],
  sample: RateSample,
): readonly RateSample[] {
  return [...samples.filter((old) => sample.atMs - old.atMs <= WINDOW_MS), sample]
}

/** Work per second over the window; 0 while nothing is known. */
export function ratePerSecond(samples: readonly RateSample[]): number {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.atMs - first.atMs < LEAST_SPAN_MS) return 0
  return (Math.max(0, last.done - first.done) / (last.atMs - first.atMs)) * 1000
}

/** Milliseconds left at that rate; null while the rate is 0. */
export function timeLeftMs(samples: readonly RateSample[], total: number): number | null {
  const rate = ratePerSecond(samples)
  const done = samples.at(-1)?.done ?? 0
  return rate === 0 ? null : ((total - done) / rate) * 1000
}

/** `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}
