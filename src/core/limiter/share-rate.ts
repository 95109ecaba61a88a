/** Who gets how much of a domain's rate: fair first between projects, then between the processes of each. */
import { currentRate, type LimiterState, type WorkerRecord } from './limiter-state.ts'
import { maxMin } from './max-min.ts'

/** Processes that want permits, the longest unserved first; names break ties. */
export function wantingWorkers(state: LimiterState): [string, WorkerRecord][] {
  return Object.entries(state.workers)
    .filter(([, worker]) => worker.wants.some(([, permits]) => permits > 0))
    .sort(([a, x], [b, y]) => x.servedMs - y.servedMs || (a < b ? -1 : 1))
}

/**
 * The rate (requests per second) a worker deserves when all that want something are served. What the
 * wants leave over is dealt out evenly: a process that wants little gets it sooner, not slower.
 */
export function fairRate(state: LimiterState, name: string): number {
  const rate = currentRate(state)
  const workers = wantingWorkers(state)
  const claims = workers.flatMap(([worker, record]) =>
    record.wants.map(([project, permits, weight]) => ({
      worker,
      project,
      want: (permits * 1000) / state.policy.slotMs,
      weight,
    })),
  )
  const projects = [...new Set(claims.map((claim) => claim.project))].map((project) => {
    const members = claims.filter((claim) => claim.project === project)
    const want = members.reduce((sum, claim) => sum + claim.want, 0)
    return { members, want, weight: Math.max(...members.map((claim) => claim.weight)) }
  })
  const projectShares = maxMin(rate, projects)
  let given = 0
  let own = 0
  for (const [index, project] of projects.entries()) {
    const equals = project.members.map(({ want }) => ({ want, weight: 1 }))
    const shares = maxMin(projectShares[index] ?? 0, equals)
    for (const [position, share] of shares.entries()) {
      given += share
      if (project.members[position]?.worker === name) own += share
    }
  }
  return own + Math.max(0, rate - given) / Math.max(1, workers.length)
}
