/** What is done at the end of a run: a command of the operator, a web address that is told, or both. */

export interface EndAction {
  readonly command: EndCommand | null
  readonly webhook: string | null
}

export interface EndCommand {
  /** As typed, for the shell. */
  readonly line: string
  /** Where it was typed, and where it is run. */
  readonly folder: string
}

export type EndActionKind = 'command' | 'webhook'

/** How it went; what went wrong never changes the run. */
export interface EndActionState {
  readonly kind: EndActionKind
  readonly status: 'started' | 'done' | 'failed'
  /** From 1. */
  readonly attempts: number
  readonly code: string | null
  readonly message: string | null
}
