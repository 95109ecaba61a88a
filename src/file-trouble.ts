/** What the system says about a file that a person named, as an error with a next step; its own text quotes calls and flags. */
import { UnavailableError, UsageError } from './errors.ts'

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EACCES', 'this user may not'],
  ['EPERM', 'this user may not'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is a file, not a folder'],
  ['EROFS', 'its disk is read-only'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'its links lead in a circle'],
  ['EMFILE', 'too many files are open'],
  ['ETXTBSY', 'it is a program that runs'],
  ['EIO', 'the disk reports an error'],
])
/** No space, and the quota of the user is used up. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What is wrong with the file, without the system's own words where we have some. */
export function fileTroubleText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = codeOf(cause)
  if (code === undefined) return cause.message
  return TEXTS.get(code) ?? `the system says ${code}`
}

/** Whether the system refused a file, so that the words above are right for it. */
export function isFileTrouble(error: unknown): error is Error & { readonly path: string } {
  return (
    error instanceof Error &&
    TEXTS.has(codeOf(error) ?? '') &&
    'path' in error &&
    typeof error.path === 'string'
  )
}

/** `file_not_writable`, or `disk_full` where that is why. */
export function notWritable(path: string, cause: unknown): UsageError | UnavailableError {
  const code = codeOf(cause)
  if (code !== undefined && FULL.has(code)) {
    return new UnavailableError({
      code: 'disk_full',
      message: `${path} cannot be written: no space is left for it.`,
      hint: 'Make room, or choose another place for it; then run the command again.',
      cause,
    })
  }
  return new UsageError({
    code: 'file_not_writable',
    message: `${path} cannot be written: ${fileTroubleText(cause)}.`,
    hint: writeHint(path, code),
    cause,
  })
}

/** `file_not_readable`. */
export function notReadable(path: string, cause: unknown): UsageError {
  return new UsageError({
    code: 'file_not_readable',
    message: `${path} cannot be read: ${fileTroubleText(cause)}.`,
    hint: readHint(codeOf(cause)),
    cause,
  })
}

function writeHint(path: string, code: string | undefined): string {
  if (code === 'EISDIR')
    return `Give the name of a file in it, such as ${path.replace(/\/+$/, '')}/matches.csv`
  if (code === 'ENOENT') return 'Make its folder first, or choose another place for it.'
  return 'Choose another place for it.'
}

function readHint(code: string | undefined): string {
  if (code === 'EISDIR') return 'Give the name of a file in it.'
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? 'Check the path; it counts from the folder the command is started in.'
    : 'Check its permissions, or copy it to a place where it can be read.'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
