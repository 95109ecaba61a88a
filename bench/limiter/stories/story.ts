/** Something that happens to a domain, and what is measured of it. */
import type { Setting } from '../play.ts'

export interface Story {
  /** Stable; for `--story`. */
  readonly name: string
  readonly title: string
  run(setting: Setting): Promise<readonly Measure[]>
}

export interface Measure {
  readonly name: string
  /** Infinity: it never came. */
  readonly value: number
  readonly unit: string
  readonly goal?: Goal
  /** What others have published, or measured for them, under the same conditions. */
  readonly peers?: string
}

export interface Goal {
  readonly atLeast?: number
  readonly atMost?: number
  /** Must hold for every seed; the others for the median of all seeds. */
  readonly isInvariant?: boolean
}

export function meets(value: number, { atLeast = -Infinity, atMost = Infinity }: Goal): boolean {
  return value >= atLeast && value <= atMost
}
