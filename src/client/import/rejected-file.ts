import { encodeEscaped } from '../../tabular/escaped-bytes.ts'
import type { RejectedLine } from '../../tabular/table-batch.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import { fileSink, type TextSink } from '../text-sink.ts'

const COMMA = { delimiter: ',', quote: '"' }

/** The lines an import left out, as CSV: line, reason, text. The file is made with the first of them. */
export interface RejectedFile {
  readonly add: (lines: readonly RejectedLine[]) => Promise<void>
  readonly count: () => number
  /** Path of the file; null when nothing was rejected. */
  readonly finish: () => Promise<string | null>
  readonly discard: () => Promise<void>
}

/** @param path null: the lines are only counted */
export function rejectedFile(path: string | null): RejectedFile {
  let count = 0
  let sink: TextSink | undefined
  return {
    async add(lines) {
      if (lines.length === 0) return
      count += lines.length
      if (path === null) return
      if (sink === undefined) {
        sink = await fileSink(path)
        await sink.write('line,reason,text\n')
      }
      const text = lines.map(
        ({ line, reason, raw }) => `${csvLine([String(line), reason, raw], COMMA)}\n`,
      )
      await sink.write(encodeEscaped(text.join('')))
    },
    count: () => count,
    async finish() {
      await sink?.finish()
      return sink === undefined ? null : path
    },
    discard: async () => sink?.discard(),
  }
}
