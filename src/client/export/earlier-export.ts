import { open } from 'node:fs/promises'
import { UsageError } from '../../errors.ts'

const HEAD_BYTES = 65_536

/**
 * An export replaces an earlier export, never another file: somebody's original may have the name that was typed.
 * @param mark text that only an export has near its beginning, such as `match_qid`
 * @throws UsageError `would_overwrite`
 */
export async function refuseOtherFiles(path: string, mark: string | RegExp): Promise<void> {
  const head = await headOf(path)
  if (head === '' || (typeof mark === 'string' ? head.includes(mark) : mark.test(head))) return
  const kind = exportKind(head)
  throw new UsageError({
    code: 'would_overwrite',
    message: `${path} is there already and is ${kind ?? 'no earlier export of this kind'}; expected a new name${typeof mark === 'string' ? ` or a file that has ${mark}` : ''}.`,
    hint: `Choose another name, such as -o ${otherName(path)}, or replace it with --force.${kind === PLAIN ? ' A file to decide in is written by --format review-csv.' : ''}`,
  })
}

const PLAIN = 'a plain export'

/** Which of our files it is; undefined: none. */
function exportKind(head: string): string | undefined {
  const [first = ''] = head.split('\n', 1)
  if (first.includes('match_key') && first.includes('decision')) return 'a review file'
  if (first.includes('match_hash')) return 'a file of judgments'
  if (first.includes('match_judgment')) return 'an export for OpenRefine'
  return first.includes('match_qid') && first.includes('match_status') ? PLAIN : undefined
}

/** `review-2.csv` for `review.csv`. */
function otherName(path: string): string {
  return path.replace(/(\.[^./]*)?$/, '-2$1')
}

/** Empty where there is no such file, or it cannot be read; writing will tell. */
async function headOf(path: string): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}
