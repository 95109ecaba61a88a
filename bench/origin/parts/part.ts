/** Something that happens to real processes, and what is measured of it at the origin. */
import type { Measure } from '../../limiter/stories/story.ts'
import type { Lab } from '../lab.ts'

export interface Part {
  /** Stable; for `--part`. */
  readonly name: string
  readonly title: string
  readonly run: (setting: Setting) => Promise<readonly Measure[]>
}

export interface Setting {
  /** One lab for all parts, opened by the first that needs it. */
  readonly lab: () => Promise<Lab>
  /** Minutes become seconds; what is measured stays the same, its numbers are rougher. */
  readonly isShort: boolean
}
