import { UsageError } from '../../errors.ts'

/** The error for a spreadsheet that cannot be read to its end. `what` continues "NAME …". */
export function brokenXlsx(name: string, what: string, cause?: unknown): UsageError {
  return new UsageError({
    code: 'broken_xlsx',
    message: `${name} ${what}.`,
    hint: 'Open it in a spreadsheet program and save it again as .xlsx, or save the sheet as "CSV UTF-8".',
    cause,
  })
}

/** The error for a spreadsheet beyond what is sensible to unpack: a mistake, or a zip bomb. */
export function tooLargeXlsx(name: string, what: string): UsageError {
  return new UsageError({
    code: 'xlsx_too_large',
    message: `${name} ${what}.`,
    hint: 'Save the sheet as "CSV UTF-8" and import that file, which may be of any size.',
  })
}
