/** As a shell takes it for one word, whatever stands in it. */
export function shellWord(text: string): string {
  return /^[\w.:/=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
