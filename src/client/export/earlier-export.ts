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
  throw new UsageError({
    code: 'would_overwrite',
    message: `${path} is there already and is no earlier export of this kind; expected a new name${typeof mark === 'string' ? ` or one that has ${mark}` : ''}.`,
    hint: 'Choose another name, or replace it with --force.',
  })
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
