import type { Context } from 'hono'
import { boundedText } from './bounded-text.ts'
import { ProblemError } from './problem.ts'

/** Fields of a form. */
export interface Fields {
  /** '' where it is missing. */
  readonly text: (name: string) => string
  /** @throws ProblemError `invalid_request` when it is no number from `least` to `most` */
  readonly number: (name: string, least: number, most: number) => number
}

/** As a browser sends them (`application/x-www-form-urlencoded`); of a name that comes twice the last one. */
export async function readFields(c: Context): Promise<Fields> {
  return fieldsOf(Object.fromEntries(new URLSearchParams(await boundedText(c.req.raw))))
}

export function fieldsOf(form: Readonly<Record<string, unknown>>): Fields {
  const text = (name: string) => {
    const value = form[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    text,
    number: (name, least, most) => {
      const value = text(name).trim() === '' ? Number.NaN : Number(text(name))
      if (value >= least && value <= most) return value
      throw new ProblemError(400, {
        code: 'invalid_request',
        detail: `${name} is ${JSON.stringify(text(name))}; expected a number from ${least} to ${most}.`,
      })
    },
  }
}

/** Only a place of this server: never an address of another one. */
export function ownPath(path: string): string {
  return /^\/(?![/\\])[^\r\n]*$/.test(path) ? path : '/'
}
