/**
 * The one base class of our errors and its subclasses by what the caller does next (DESIGN §3).
 * A message says what was found and what was expected; the hint says what to do; the code is stable.
 */

/** What an error of ours is made of. `code` is snake_case and never changes once published. */
export interface ErrorFacts {
  readonly code: string
  /** Found and expected, in one or two sentences. */
  readonly message: string
  /** The next step, as a command where there is one. */
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** Base of every error this program raises on purpose. */
export class RecordLinkerError extends Error {
  readonly code: string
  readonly hint: string | undefined

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    this.code = facts.code
    this.hint = facts.hint
  }
}

/** The user must change the command, the file or the settings (exit code 2). */
export class UsageError extends RecordLinkerError {}

/** A server of ours (Postgres, Temporal, worker, set-up tool) cannot be reached (exit code 4). */
export class UnavailableError extends RecordLinkerError {}

/** What a call to the outside ran into; see the table of DESIGN §3 for what happens with each. */
export type OutsideErrorKind = 'throttled' | 'unreachable' | 'transient' | 'permanent' | 'endpoint'

export interface OutsideErrorFacts extends ErrorFacts {
  readonly kind: OutsideErrorKind
  readonly status?: number | undefined
  /** How long the server asked us to wait, in ms. */
  readonly retryAfterMs?: number | undefined
  /** At most the first 500 characters of the body, for tests and debuggers: it may repeat what we asked, so it is never shown. */
  readonly bodyHead?: string | undefined
}

/** A call to somebody else's server did not give an answer. */
export class OutsideCallError extends RecordLinkerError {
  readonly kind: OutsideErrorKind
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  /** Not enumerable, so that nothing that prints errors prints it. */
  declare readonly bodyHead: string | undefined

  constructor(facts: OutsideErrorFacts) {
    super(facts)
    this.kind = facts.kind
    this.status = facts.status
    this.retryAfterMs = facts.retryAfterMs
    Object.defineProperty(this, 'bodyHead', { value: facts.bodyHead, enumerable: false })
  }
}

const FRAMES_SHOWN = 4

/**
 * What can be told of any error without telling what is in a record: our own messages, which never quote cells; of all
 * others class, code and where they were thrown, for the message of a database names the value it refuses, and that of
 * JSON.parse the text it cannot read.
 */
export function errorWithoutData(error: unknown): string {
  if (error instanceof RecordLinkerError) return error.message
  if (!(error instanceof Error)) return `something thrown that is no error (${typeof error})`
  const code = 'code' in error ? ` ${String(error.code).slice(0, 40)}` : ''
  const place = framesOf(error).slice(0, FRAMES_SHOWN).join(', ')
  return `${error.name}${code}${place === '' ? '' : ` ${place}`}`
}

/** The lines of a stack that say where, without the message above them. */
export function framesOf({ stack = '', message }: Error): readonly string[] {
  const begin = stack.indexOf(message)
  const below = begin < 0 ? stack : stack.slice(begin + message.length)
  return below
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .map((line) => line.replace(/(?:file:\/\/)?\/[^()\s]*?\/(src|dist|node_modules)\//, '$1/'))
}
