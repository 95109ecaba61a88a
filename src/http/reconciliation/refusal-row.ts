import type { OutsideCallError } from '../../errors.ts'
import { everyQueryRefused } from './service-errors.ts'

/** When this many lookups in a row are refused, each asked alone, it is not the lookups. */
const REFUSALS_TO_STOP = 10

export interface RefusalRow {
  /** Somebody was answered: the row is broken. */
  answered(): void
  /** @throws OutsideCallError kind `endpoint` where this refusal shows that everybody is refused. */
  refused(error: OutsideCallError): void
}

export function createRefusalRow(): RefusalRow {
  let inARow = 0
  return {
    answered() {
      inARow = 0
    },
    refused(error) {
      inARow += 1
      if (inARow >= REFUSALS_TO_STOP) throw everyQueryRefused(error, inARow)
    },
  }
}
