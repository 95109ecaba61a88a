/** Characters that stand between the values of a cell, in the order of how sure they are. */
const SEPARATORS = ['|', ';'] as const

/** What stands between several values of the cells of a column; '' where it is one value a cell. */
export function detectSeparator(cells: readonly string[]): string {
  return (
    SEPARATORS.find((separator) =>
      cells.some((cell) => cell.split(separator).filter((part) => part.trim() !== '').length > 1),
    ) ?? ''
  )
}
