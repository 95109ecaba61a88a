import { readPart, type XlsxFile } from './read-part.ts'

/** In memory as a whole, since cells name them by number. */
const MOST_BYTES = 512 * 1024 * 1024
const ESCAPED = /_x([\da-f]{4})_/gi

/** The texts that cells share, in order; formatted pieces joined, readings of Japanese left out. */
export async function readSharedStrings(
  file: XlsxFile,
  part: string | undefined,
): Promise<readonly string[]> {
  const strings: string[] = []
  if (part === undefined || !file.archive.names.includes(part)) return strings
  let text = ''
  let isText = false
  let isReading = false
  for await (const tokens of readPart(file, part, MOST_BYTES)) {
    for (const token of tokens) {
      if (token.kind === 'text') {
        if (isText && !isReading) text += token.text
        continue
      }
      const isOpen = token.kind === 'open'
      if (token.name === 't') isText = isOpen
      else if (token.name === 'rPh') isReading = isOpen
      else if (token.name === 'si') {
        if (!isOpen) strings.push(unescapedText(text))
        text = ''
      }
    }
  }
  return strings
}

/** Characters that XML cannot hold are spelt `_x000D_`. */
export function unescapedText(text: string): string {
  if (!text.includes('_x')) return text
  return text
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\r\n', '\n')
}
