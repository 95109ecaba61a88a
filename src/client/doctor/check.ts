/** One line of the doctor. */
export interface Check {
  readonly name: string
  /** `note`: works, but not for everything. */
  readonly state: 'ok' | 'note' | 'failed'
  readonly expected: string
  readonly actual: string
  /** What to do about it; empty when nothing is to be done. */
  readonly fix: string
}

export function passed(name: string, expected: string, actual: string): Check {
  return { name, state: 'ok', expected, actual, fix: '' }
}

export function noted(name: string, expected: string, actual: string, fix: string): Check {
  return { name, state: 'note', expected, actual, fix }
}

export function failed(name: string, expected: string, actual: string, fix: string): Check {
  return { name, state: 'failed', expected, actual, fix }
}
