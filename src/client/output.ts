/** What commands print: data on stdout, everything else on stderr. */
import Table from 'cli-table3'
import { Option } from 'commander'
import pc from 'picocolors'

export const outputFormats = ['text', 'json', 'jsonl'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** `-o text|json|jsonl`, read as `options.output`. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'form of the answer on stdout')
    .choices(outputFormats)
    .default('text')
}

/** Prints one answer; `text` is only asked for when people read it. */
export function printAnswer(
  format: OutputFormat,
  data: object | readonly object[],
  text: () => string,
): void {
  const list: readonly object[] = Array.isArray(data) ? data : [data]
  const lines =
    format === 'text'
      ? [text()]
      : format === 'json'
        ? [JSON.stringify(data)]
        : list.map((one) => JSON.stringify(one))
  for (const line of lines) process.stdout.write(`${line}\n`)
}

/** A line for people, on stderr. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A table without borders, as wide as its text needs, whatever the script. */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const colour = pc.createColors(useColour(process.stdout))
  const table = new Table({
    head: head.map((title) => colour.bold(title)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
    chars: Object.fromEntries(BORDERS.map((name) => [name, ''])),
  })
  table.push(...rows.map((row) => row.map((cell) => oneLine(cell ?? ''))))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle'.split(
    ' ',
  )

/** Colour only for a terminal whose user has not forbidden it (https://no-color.org). */
export function useColour(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

/** When the reader of stdout has gone (`| head`), the command ends without a word. */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(0)
    })
  }
}

/** Text of others must not move the cursor or colour the terminal. */
export function oneLine(cell: string | number): string {
  // oxlint-disable-next-line no-control-regex
  return String(cell).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}
