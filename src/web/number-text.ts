/** `12,345`. */
export function numberText(value: number): string {
  return value.toLocaleString('en')
}
