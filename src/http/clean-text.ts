/** Text that every JSON reader and Postgres accept: no NUL, no half of a surrogate pair. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')
}
