import type { ByteSource } from '../../../src/tabular/byte-source.ts'
import type { FormatOverrides } from '../../../src/tabular/detect-format.ts'
import { openTable } from '../../../src/tabular/open-table.ts'
import type { RejectedLine, TableRecord } from '../../../src/tabular/table-batch.ts'

/** A file of these bytes, handed out in pieces of `pieceBytes`. */
function bytesSource(name: string, bytes: Buffer, pieceBytes = 65_536): ByteSource {
  return {
    name,
    sizeBytes: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        yield bytes.subarray(at, at + pieceBytes)
      }
    },
  }
}

/** Everything in a file. */
export async function readTable(
  content: string | Buffer,
  {
    name = 'a.csv',
    pieceBytes,
    ...overrides
  }: FormatOverrides & { name?: string; pieceBytes?: number } = {},
) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const table = await openTable(bytesSource(name, bytes, pieceBytes), overrides)
  const records: TableRecord[] = []
  const rejected: RejectedLine[] = []
  for await (const batch of table.batches()) {
    records.push(...batch.records)
    rejected.push(...batch.rejected)
  }
  return { table, records, rejected, cells: records.map((record) => record.cells) }
}
