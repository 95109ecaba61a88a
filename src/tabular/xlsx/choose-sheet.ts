import { UsageError } from '../../errors.ts'
import type { Sheet } from './workbook.ts'

/**
 * The sheet asked for, by its name or else by its place from 1; the first that is not hidden when nothing is said.
 * @param file for the message
 * @throws UsageError `unknown_sheet`
 */
export function chooseSheet(
  file: string,
  sheets: readonly Sheet[],
  asked: string | undefined,
): Sheet {
  const found =
    asked === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : (sheets.find(({ name }) => name === asked) ??
        sheets.find(({ name }) => name.trim().toLowerCase() === asked.trim().toLowerCase()) ??
        (/^\d{1,6}$/.test(asked) ? sheets[Number(asked) - 1] : undefined))
  if (found !== undefined) return found
  throw new UsageError({
    code: 'unknown_sheet',
    message: `${file} has no sheet "${asked ?? ''}"; it has ${sheets.map(({ name }, index) => `${index + 1} "${name}"`).join(', ')}.`,
    hint: 'Name one of them, or give its number: --sheet 1',
  })
}
