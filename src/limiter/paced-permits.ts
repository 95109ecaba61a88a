import { limiterPriority, type Pace } from '../core/pace.ts'
import type { Permits } from '../core/limiter/permit.ts'
import type { BrokerLog } from './broker-log.ts'

export interface PacedPermitsOptions {
  readonly permits: Permits
  /** How a project is paced now; undefined: there is no such project. */
  readonly paceOf: (projectId: number) => Promise<Pace | undefined>
  readonly log: BrokerLog
  /** Monotonic, ms. Default `performance.now`. */
  readonly nowMs?: () => number
}

/** A change is seen by every worker process within this time. */
const KEPT_MS = 2_000
/** Projects remembered at most. */
const MOST_KEPT = 1_000

interface Kept {
  readonly pace: Promise<Pace | undefined>
  readonly readAtMs: number
}

/**
 * Permits that carry the priority and weight of the project they are for (`project/ID`), whichever part of the program
 * asks. A request that names a priority of its own keeps it. A database that is away keeps nobody waiting: then what
 * was read last holds.
 */
export function pacedPermits(options: PacedPermitsOptions): Permits {
  const { permits, paceOf, log, nowMs = () => performance.now() } = options
  const kept = new Map<number, Kept>()
  const read = (projectId: number): Promise<Pace | undefined> => {
    const before = kept.get(projectId)
    if (before !== undefined && nowMs() - before.readAtMs < KEPT_MS) return before.pace
    const pace = paceOf(projectId).catch((err: unknown) => {
      log.info({ project: projectId, err }, 'pace of a project not read')
      return before?.pace
    })
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(projectId, { pace, readAtMs: nowMs() })
    // The first read is waited for; later ones are of use to the next caller.
    return before?.pace ?? pace
  }
  return {
    async acquire(request) {
      const projectId = projectOf(request.project)
      const pace = projectId === undefined ? undefined : await read(projectId)
      if (pace === undefined) return permits.acquire(request)
      const { priority = limiterPriority[pace.priority] } = request
      return permits.acquire({ ...request, priority, weight: pace.weight })
    },
  }
}

function projectOf(name: string): number | undefined {
  const [, number] = /^project\/(\d+)$/.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}
