/** Time on the wire, to the limiter and to the origin alike. */
import type { Random } from './seeded-random.ts'
import type { VirtualClock } from './virtual-clock.ts'

const SHORTEST_MS = 10
const LONGEST_MS = 40

export interface Network {
  /** One way, ms. */
  delayMs(): number
  /** Resolves after one way. */
  oneWay(): Promise<void>
}

export function createNetwork(clock: VirtualClock, random: Random): Network {
  const delayMs = (): number => SHORTEST_MS + (LONGEST_MS - SHORTEST_MS) * random()
  return { delayMs, oneWay: () => clock.sleep(delayMs()) }
}
