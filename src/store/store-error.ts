import { isDiskFull } from '../core/download/disk-full.ts'
import { type ErrorFacts, errorWithoutData, RecordLinkerError } from '../errors.ts'

/** `disk`: nothing can be stored until somebody makes room; `transient`: later it may work; `permanent`: it will not. */
export type StoreTrouble = 'disk' | 'transient' | 'permanent'

/** A store could not do what it was asked for. */
export class StoreError extends RecordLinkerError {
  readonly kind: StoreTrouble

  constructor(facts: ErrorFacts & { readonly kind: StoreTrouble }) {
    super(facts)
    this.kind = facts.kind
  }
}

/** What a failed call of the file system means; a StoreError stays as it is. */
export function asStoreError(error: unknown, doing: string, place: string): StoreError {
  if (error instanceof StoreError) return error
  if (isDiskFull(error)) {
    return new StoreError({
      kind: 'disk',
      code: 'disk_full',
      message: `The disk of ${place} is full: ${codeOf(error)} on ${doing}.`,
      hint: 'Make room there, then run: ./record-linker queue resume',
      cause: error,
    })
  }
  const isForGood = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error))
  return new StoreError({
    kind: isForGood ? 'permanent' : 'transient',
    code: 'store_failed',
    message: `The store ${place} failed on ${doing}: ${errorWithoutData(error)}`,
    ...(isForGood ? { hint: 'Check who may write to that folder.' } : {}),
    cause: error,
  })
}

/** A file is to be stored that is not as it was when it was checked. */
export function notAsStaged(
  { bytes }: { readonly bytes: number },
  found: number | undefined,
): StoreError {
  return new StoreError({
    kind: 'transient',
    code: 'staged_file_changed',
    message: `A file of ${bytes} bytes was to be stored; ${found === undefined ? 'it is gone' : `it has ${found}`}.`,
    hint: 'It is fetched again with the next attempt.',
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
