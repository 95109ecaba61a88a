/**
 * A task of a match in the trace of its run: `ask` and `decide` of each attempt under `task`, which is told when all is
 * decided, or given up. Its ids are those of the job envelope, so that the pages say where to look.
 */
import { activityInfo } from '@temporalio/activity'
import { taskTrace } from '../../core/trace-place.ts'
import { sha256Hex } from '../../db/sha256.ts'
import type { TaskKey } from '../../db/task-subjects.repo.ts'
import type { SettledRun } from '../run-settings.ts'
import { inSpan } from './span-now.ts'
import { noTracer, type Span, type TraceAttributes, type Tracer } from './tracer.ts'

export interface TaskTrace {
  readonly ask: <T>(position: number, work: () => Promise<T>) => Promise<T>
  /** @param work gives how many records are undecided; none: the task has ended */
  readonly decide: (work: () => Promise<number>) => Promise<number>
  /** Not done: an activity that asks goes on. */
  readonly decideAtOnce: (
    work: () => Promise<{ readonly isDone: boolean }>,
  ) => Promise<{ readonly isDone: boolean }>
  readonly failed: (code: string) => void
}

export function createTaskTrace(
  tracer: Tracer,
  { run }: Pick<SettledRun, 'run'>,
  { task }: Pick<TaskKey, 'task'>,
): TaskTrace {
  if (tracer === noTracer) return untraced
  const place = taskTrace({ temporalRunId: run.temporalRunId, task }, sha256Hex)
  const ids = { project: run.projectId, run: run.number, task }
  const under = (name: string, more: TraceAttributes = {}): Span =>
    tracer.under(place, name, { ...ids, ...more, attempt: activityInfo().attempt })
  // Earlier processes are not known here: it begins with the activity that ended it.
  const whole = (): Span =>
    tracer.root({
      name: 'task',
      place,
      attributes: ids,
      startMs: activityInfo().scheduledTimestampMs,
    })
  return {
    ask: (position, work) => inSpan(under('ask', { position }), work),
    async decide(work) {
      const undecided = await inSpan(under('decide'), async (span) => {
        const left = await work()
        span.set({ undecided: left })
        return left
      })
      if (undecided === 0) whole().end()
      return undecided
    },
    async decideAtOnce(work) {
      const done = await inSpan(under('decide', { at_once: true }), work)
      if (done.isDone) whole().end()
      return done
    },
    failed(code) {
      const span = whole()
      span.fail(code)
      span.end()
    },
  }
}

const untraced: TaskTrace = {
  ask: (_position, work) => work(),
  decide: (work) => work(),
  decideAtOnce: (work) => work(),
  failed: () => undefined,
}
