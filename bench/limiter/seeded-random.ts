/** Chance that can be repeated. */
export type Random = () => number

/** Uniform in [0, 1), from 32 bits of state (mulberry32). Streams of different names are independent. */
export function seededRandom(seed: number, stream = ''): Random {
  let state = seed >>> 0
  for (const letter of stream) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
