/**
 * Whether a worker process lives, and whether it does its work.
 *
 *   starting ── every part well once ──▶ ready ◀──▶ unready (a part is away)
 *       └──────────────── told to end ────┴──────────▶ draining
 */
import type { Worker } from '@temporalio/worker'
import { RecordLinkerError } from '../../errors.ts'
import { productVersion } from '../../product-version.ts'
import { type PartState, watchPart } from './part-watch.ts'

const LOOK_EVERY_MS = 2_000
/** A part that is slower than this cannot be worked with. */
const LIMIT_MS = 2_000

export interface Readiness {
  readonly status: 'starting' | 'ready' | 'unready' | 'draining'
  readonly version: string
  readonly parts: Readonly<Record<string, PartState>>
}

const partNames = ['work_queue', 'limiter_queue', 'postgres', 'temporal'] as const
/** Each returns when its part is well, and throws why it is not. */
export type PartChecks = Readonly<Record<(typeof partNames)[number], () => Promise<void> | void>>

export interface WorkerHealth {
  readonly readiness: () => Readiness
  /** From now on the parts are looked at. */
  readonly watch: (checks: PartChecks) => void
  readonly close: () => void
}

/** @param stopping aborted when the worker is told to end */
export function createWorkerHealth(stopping: AbortSignal): WorkerHealth {
  let checks: PartChecks | undefined
  let wasReady = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const watches = partNames.map(
    (name) => [name, watchPart(() => checks?.[name](), LIMIT_MS)] as const,
  )
  const look = async (): Promise<void> => {
    await Promise.all(watches.map(([, watch]) => watch.look()))
    if (!isClosed) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  }
  return {
    readiness() {
      const parts = Object.fromEntries(watches.map(([name, watch]) => [name, watch.state()]))
      const isReady = Object.values(parts).every(({ ok }) => ok)
      wasReady ||= isReady
      const working = isReady ? 'ready' : wasReady ? 'unready' : 'starting'
      return { status: stopping.aborted ? 'draining' : working, version: productVersion, parts }
    },
    watch(given) {
      checks = given
      void look()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** @throws unless the worker runs and asks its task queue for work. */
export function checkPolling(worker: Worker): void {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus()
  if (
    runState === 'RUNNING' &&
    workflowPollerState === 'POLLING' &&
    activityPollerState === 'POLLING'
  )
    return
  throw new RecordLinkerError({
    code: 'not_polling',
    message: `The worker is ${runState}, its pollers ${workflowPollerState} and ${activityPollerState}; expected RUNNING and POLLING.`,
  })
}
