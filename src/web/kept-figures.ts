/** Figures of projects that take long to make are kept as long as nothing is decided or judged. */
import type { Db } from '../db/connect.ts'
import { decidedState } from '../db/decided-state.ts'
import type { Project } from '../db/projects.repo.ts'

export interface KeptFigures<T> {
  of(project: Project): Promise<T>
}

export interface KeptFiguresOptions<T> {
  readonly db: Db
  readonly make: (project: Project) => Promise<T>
  /** When all of what was made is there; default: at once. Rejected: it is made anew. */
  readonly whole?: (made: T) => Promise<void>
  /** Of what nobody is given any more. */
  readonly drop?: (made: T) => void
  /** Whoever was asked for first is forgotten first. */
  readonly mostProjects: number
  /** So old they may be whatever is decided or judged; default: 0. */
  readonly mayBeOldMs?: number
  /** Default: the clock. */
  readonly nowMs?: () => number
}

interface Kept<T> {
  readonly revision: number
  readonly state: string
  /** Null: not yet. */
  tookMs: number | null
  readonly atMs: number
  readonly made: Promise<T>
}

/** While a run goes on, each look would make them anew; what took 3 s may be 15 s old, what took a moment is always new. */
const MAY_BE_OLD_TIMES = 5

export function keepFigures<T>(options: KeptFiguresOptions<T>): KeptFigures<T> {
  const { db, make, mostProjects, mayBeOldMs = 0, nowMs = () => performance.now() } = options
  const { whole = () => Promise.resolve(), drop = () => undefined } = options
  const kept = new Map<number, Kept<T>>()
  const forget = (id: number): void => {
    kept.get(id)?.made.then(drop, () => undefined)
    kept.delete(id)
  }
  return {
    async of(project) {
      const state = await decidedState(db)
      const found = kept.get(project.id)
      if (found?.revision === project.revision) {
        const isYoung =
          found.tookMs === null ||
          nowMs() - found.atMs < Math.max(mayBeOldMs, found.tookMs * MAY_BE_OLD_TIMES)
        if (found.state === state || isYoung) return found.made
      }
      forget(project.id)
      const [oldest] = kept.keys()
      if (kept.size >= mostProjects && oldest !== undefined) forget(oldest)
      const atMs = nowMs()
      const made = make(project)
      const entry: Kept<T> = { revision: project.revision, state, atMs, made, tookMs: null }
      kept.set(project.id, entry)
      void made
        .then(whole)
        .catch(() => {
          if (kept.get(project.id) === entry) kept.delete(project.id)
        })
        .finally(() => {
          entry.tookMs = nowMs() - atMs
        })
      return made
    },
  }
}
