/** Errors as `application/problem+json` (RFC 9457), with the codes that the commands have. */
import type { z } from 'zod'
import { knownError } from '../client/known-errors.ts'
import { RecordLinkerError, UnavailableError, UsageError } from '../errors.ts'

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** Stable. */
  readonly code: string
  /** What to do next. */
  readonly hint?: string | undefined
  /** Of a request that is not understood: what, and where. */
  readonly errors?: readonly { readonly at: string; readonly message: string }[]
  /** What else is known, by the code. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}

/** An answer that is no success; `code` is stable. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(
    status: number,
    facts: {
      readonly code: string
      readonly detail: string
      readonly hint?: string
      readonly errors?: Problem['errors']
      readonly facts?: Problem['facts']
    },
  ) {
    super(facts.detail)
    this.problem = problemOf(status, facts)
  }
}

/** What an address names; a column that a file does not have is a file that cannot be taken. */
const NOT_FOUND = /^unknown_(project|dataset|entry|run|act|domain|extraction|queue|job)$/
/** The request is understood, but how things stand forbids it. */
const CONFLICTS = new Set([
  'other_run_open',
  'run_open',
  'no_open_run',
  'import_running',
  'other_extraction_open',
  'shared_dataset',
  'would_overwrite',
])
const RETRY_AFTER_S = 5

const titles: Readonly<Record<number, string>> = {
  400: 'The request is not understood',
  401: 'A token is needed',
  403: 'Not allowed',
  404: 'There is no such thing',
  405: 'Not done here',
  408: 'Too slow',
  409: 'Not as things stand',
  413: 'Too large',
  415: 'Another content type is needed',
  422: 'That cannot be done',
  431: 'Too large',
  500: 'A defect of this program',
  503: 'A server is not reachable',
}

/** @param error anything that was thrown */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  if (isUnstorable(error)) {
    return problemOf(400, {
      code: 'invalid_request',
      detail: 'A text has characters that cannot be stored: NUL, or half of a surrogate pair.',
    })
  }
  const known = knownError(error)
  if (known instanceof UsageError) {
    const status = NOT_FOUND.test(known.code) ? 404 : CONFLICTS.has(known.code) ? 409 : 422
    return problemOf(status, { code: known.code, detail: known.message, hint: known.hint })
  }
  if (known instanceof UnavailableError) {
    return problemOf(503, { code: known.code, detail: known.message, hint: known.hint })
  }
  if (known instanceof RecordLinkerError) {
    return problemOf(500, { code: known.code, detail: known.message, hint: known.hint })
  }
  return problemOf(500, {
    code: 'internal_error',
    detail: 'The request could not be answered; the log says more.',
  })
}

/** As PostgreSQL says it: character_not_in_repertoire, untranslatable_character. */
const UNSTORABLE = new Set(['22021', '22P05'])

function isUnstorable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    UNSTORABLE.has(error.code)
  )
}

/** What zod found wrong. @param where `query`, `body`, … */
export function invalidRequest(error: z.ZodError, where: string): ProblemError {
  const errors = error.issues.map(({ path, message }) => ({
    at: [where, ...path.map(String)].join('.'),
    message,
  }))
  return new ProblemError(400, {
    code: 'invalid_request',
    detail: errors.map(({ at, message }) => `${at}: ${message}`).join('; '),
    hint: 'See /openapi.json.',
    errors,
  })
}

export function problemResponse(problem: Problem): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(problem.status === 503 ? { 'Retry-After': String(RETRY_AFTER_S) } : {}),
      ...(problem.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
  })
}

function problemOf(
  status: number,
  facts: {
    readonly code: string
    readonly detail: string
    readonly hint?: string | undefined
    readonly errors?: Problem['errors'] | undefined
    readonly facts?: Problem['facts']
  },
): Problem {
  const { code, detail, hint, errors } = facts
  return {
    type: `urn:record-linker:error:${code}`,
    title: titles[status] ?? 'It did not work',
    status,
    detail,
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(errors === undefined ? {} : { errors }),
    ...(facts.facts === undefined ? {} : { facts: facts.facts }),
  }
}
