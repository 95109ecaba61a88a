/** Names and values as the query of an address. */
export function queryText(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString()
}
