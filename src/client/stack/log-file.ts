import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A log that is longer when its process starts is put aside as `NAME.1`. */
const ROTATE_BYTES = 10 * 1024 * 1024

export interface LogFile {
  readonly path: string
  /** To be given to a child process; the caller closes it. */
  readonly descriptor: number
  /** The last lines written since it was opened, for an error message. */
  readonly tail: () => string
  readonly close: () => void
}

/** Opens a log for appending, readable by its owner only. */
export function openLogFile(path: string): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (sizeOf(path) > ROTATE_BYTES) renameSync(path, `${path}.1`)
  const startByte = sizeOf(path)
  const descriptor = openSync(path, 'a', 0o600)
  return {
    path,
    descriptor,
    tail: () => lastLines(readFileSync(path).subarray(startByte).toString('utf8')),
    close: () => closeSync(descriptor),
  }
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-8).join('\n')
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
