/** An error as a line of JSON, for who asked for JSON: the last line of stderr, as stdout has data only. */
import { CommanderError } from 'commander'
import { errorWithoutData, RecordLinkerError } from '../errors.ts'
import { isAbort } from './exit-codes.ts'
import { knownError } from './known-errors.ts'

/** Whether a command line asks for JSON: `-o json`, `-ojsonl`, `--output=json`. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      /^(?:-o|--output=)jsonl?$/.test(word) ||
      (/^(?:-o|--output)$/.test(word) && /^jsonl?$/.test(argv[at + 1] ?? '')),
  )
}

/** `{"error":{"code":…,"message":…,"hint":…}}`; empty where nothing is wrong, as after `--help`. */
export function errorJson(error: unknown, hint?: string): string {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return ''
    const code = error.code
      .replace(/^commander\./, '')
      .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return line(code, error.message.replace(/^error: /, ''), hint)
  }
  if (isAbort(error)) return line('interrupted', 'Interrupted.')
  const known = knownError(error)
  return known instanceof RecordLinkerError
    ? line(known.code, known.message, known.hint)
    : line('unexpected', errorWithoutData(error))
}

function line(code: string, message: string, hint?: string): string {
  return JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } })
}
