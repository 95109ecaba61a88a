const FORMULA = /^[=+\-@\t\r]/
const PLAIN_NUMBER = /^[+-]?\d+([.,]\d+)*$/

/**
 * A cell that a spreadsheet cannot take for a formula: one that could be gets a leading apostrophe, as OWASP advises.
 * Plain signed numbers, coordinates for example, are no formulas and stay.
 */
export function defuseFormula(cell: string): string {
  return FORMULA.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell
}
