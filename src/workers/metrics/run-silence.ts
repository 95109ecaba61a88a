import type { RunMark } from '../../db/work-standing.repo.ts'

/** Tells how long each kind of job has had an open run that does nothing, s. */
export type RunSilence = (marks: readonly RunMark[]) => ReadonlyMap<RunMark['job'], number>

/**
 * Remembers what was seen of each run, and since when it has not changed. By the clock of this process, so a worker that
 * has just started has seen no silence yet.
 * @param nowMs monotonic
 */
export function createRunSilence(nowMs: () => number): RunSilence {
  let seen = new Map<string, { readonly mark: string; readonly sinceMs: number }>()
  return (marks) => {
    const next: typeof seen = new Map()
    const longest = new Map<RunMark['job'], number>()
    for (const one of marks) {
      const key = `${one.job} ${one.runId}`
      const mark = JSON.stringify(one)
      const before = seen.get(key)
      const sinceMs = before?.mark === mark && !one.isPaused ? before.sinceMs : nowMs()
      next.set(key, { mark, sinceMs })
      longest.set(one.job, Math.max(longest.get(one.job) ?? 0, (nowMs() - sinceMs) / 1000))
    }
    seen = next
    return longest
  }
}
