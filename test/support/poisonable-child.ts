/** The forked judge, with a record that kills it: one whose name begins with `Poison`. */
import type { ChildTask } from '../../src/activities/judge-in-child.ts'
import { judgeSubject } from '../../src/core/matching/judge-subject.ts'

process.on('message', ({ record, settings }: ChildTask) => {
  if (record.cells['name']?.startsWith('Poison')) process.kill(process.pid, 'SIGKILL')
  else if (record.cells['name'] === 'Slow poison') for (;;);
  else process.send?.(judgeSubject(record, settings))
})
process.send?.({ ready: true })
