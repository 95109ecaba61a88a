/** Judges as the program does, but for records whose name begins with `Poison`: these kill the process. */
import { existsSync } from 'node:fs'
import {
  type AnsweredRecord,
  judgeSubject as judge,
  type RecordVerdict,
} from '../../../src/core/matching/judge-subject.ts'
import type { ProjectSettings } from '../../../src/core/project-settings.ts'

/** The poison works for as long as this file is there. */
const file = process.env['POISON_FILE'] ?? ''

export function judgeSubject(record: AnsweredRecord, settings: ProjectSettings): RecordVerdict {
  const isPoison = record.cells['name']?.startsWith('Poison') === true
  if (isPoison && existsSync(file)) process.kill(process.pid, 'SIGKILL')
  return judge(record, settings)
}
