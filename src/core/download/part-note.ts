/**
 * Notes beside large parts: how far a file had come when its attempt ended, so that the next one need not begin anew. Pure.
 */
import type { ResponseHeaders } from '../retry-after.ts'

export interface PartNote {
  readonly url: string
  /** Name of the file with the bytes, in the folder of the note. */
  readonly part: string
  /** So many of them are sure, and this is their SHA-256. */
  readonly bytes: number
  readonly sha256: string
  /** Of the answer that began it. */
  readonly status: number
  readonly headers: ResponseHeaders
  /** Without user information, query and fragment. */
  readonly finalUrl: string
}

const NOTE = /^resume-[\da-f]{64}\.json$/

/** @param key SHA-256 of the address, hex */
export function noteName(key: string): string {
  return `resume-${key}.json`
}

export function isNoteName(name: string): boolean {
  return NOTE.test(name)
}

const secrets = /^(?:set-cookie2?|location|www-authenticate|authentication-info|proxy-.*)$/

/** Of an answer what a resume needs, and nothing that is a secret. */
export function notedHeaders(headers: ResponseHeaders): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !secrets.test(name.toLowerCase())),
  )
}

/** @returns undefined: it is no note of that address */
export function readNote(text: string, url: string): PartNote | undefined {
  let note: unknown
  try {
    note = JSON.parse(text)
  } catch {
    // Its writer was stopped, or it is something else.
    return undefined
  }
  return isNote(note) && note.url === url ? note : undefined
}

function isNote(value: unknown): value is PartNote {
  if (typeof value !== 'object' || value === null) return false
  const note: Partial<Record<keyof PartNote, unknown>> = value
  return (
    [note.url, note.part, note.sha256, note.finalUrl].every((one) => typeof one === 'string') &&
    /^[\w.-]+\.part$/.test(String(note.part)) &&
    Number.isSafeInteger(note.bytes) &&
    Number(note.bytes) > 0 &&
    Number.isSafeInteger(note.status) &&
    typeof note.headers === 'object' &&
    note.headers !== null &&
    URL.canParse(String(note.finalUrl))
  )
}
