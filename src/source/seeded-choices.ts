/** Chance that can be repeated: the same seed and stream make the same choices on every machine. */
export interface SeededChoices {
  /** Uniform in [0, 1). */
  fraction(): number
  /** A whole number from 0 to below `count`. */
  below(count: number): number
  pick<Value>(list: readonly Value[]): Value
}

/** Mulberry32, 32 bits of state. Streams of different names are independent. */
export function seededChoices(seed: number, stream: string): SeededChoices {
  let state = seed >>> 0
  for (const letter of stream) {
    state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(fraction() * count)
  return {
    fraction,
    below,
    pick(list) {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new TypeError('expected something to pick from')
      return picked
    },
  }
}
