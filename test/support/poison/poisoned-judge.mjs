/**
 * Judges as the program does, but for records whose name begins with `Poison`: these kill the process. The address of
 * the program's own judge stands behind the `?` of this module's address.
 */
import { existsSync } from 'node:fs'

/** @typedef {import('../../../src/core/matching/judge-subject.ts').AnsweredRecord} AnsweredRecord */
/** @typedef {import('../../../src/core/project-settings.ts').ProjectSettings} ProjectSettings */

/** The poison works for as long as this file is there. */
const file = process.env['POISON_FILE'] ?? ''
/** @type {typeof import('../../../src/core/matching/judge-subject.ts')} */
const { judgeSubject: judge } = await import(
  decodeURIComponent(new URL(import.meta.url).search.slice(1))
)

/**
 * @param {AnsweredRecord} record
 * @param {ProjectSettings} settings
 */
export function judgeSubject(record, settings) {
  const isPoison = record.cells['name']?.startsWith('Poison') === true
  if (isPoison && existsSync(file)) process.kill(process.pid, 'SIGKILL')
  return judge(record, settings)
}
