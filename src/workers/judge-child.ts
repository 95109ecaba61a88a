/** The forked process of `judge-in-child.ts`: one record in, one verdict out, until it is killed. */
import type { ChildTask } from '../activities/judge-in-child.ts'
import { judgeSubject } from '../core/matching/judge-subject.ts'

process.on('message', ({ record, settings }: ChildTask) => {
  process.send?.(judgeSubject(record, settings))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
