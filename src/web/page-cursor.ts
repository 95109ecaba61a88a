import { z } from 'zod'
import type { EntryKey } from '../db/place-query.ts'
import { ProblemError } from './problem.ts'

const key = z.tuple([z.number(), z.number().int(), z.number().int()])

/** Where a page of records goes on, as text that means nothing to others. */
export function cursorText({ value, position, entryId }: EntryKey): string {
  return Buffer.from(JSON.stringify([value, position, entryId])).toString('base64url')
}

/** @throws ProblemError `invalid_cursor` */
export function readCursorText(text: string): EntryKey {
  try {
    const [value, position, entryId] = key.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
    )
    return { value, position, entryId }
  } catch {
    // Whatever is wrong with it, it did not come from here.
    throw new ProblemError(400, {
      code: 'invalid_cursor',
      detail: 'after: not a cursor that an earlier page gave.',
      hint: 'Take "next" of the page before, or leave it out for the first page.',
    })
  }
}
