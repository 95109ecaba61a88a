import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

const NAME = 'record_linker_reviewer'
const YEAR_S = 365 * 24 * 3_600
const LONGEST = 100

/** Who judges in this browser; null: nobody has said. */
export function reviewerOf(c: Context): string | null {
  const name = getCookie(c, NAME)?.trim() ?? ''
  return name === '' || name.length > LONGEST ? null : name
}

export function keepReviewer(c: Context, name: string): void {
  setCookie(c, NAME, name.trim().slice(0, LONGEST), {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: YEAR_S,
  })
}
