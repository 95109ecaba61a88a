import type { Writable } from 'node:stream'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A value of a COPY row: text as it is, bytes as bytea. */
export type CopyValue = string | number | Buffer | null

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/**
 * Streams rows into a table by COPY, batch after batch as the server takes them.
 * @param into table and columns, as SQL
 */
export async function copyRows(
  client: PoolClient,
  into: string,
  batches: AsyncIterable<readonly (readonly CopyValue[])[]>,
): Promise<void> {
  const stream: Writable = client.query(copyFrom(`copy ${into} from stdin`))
  await pipeline(Readable.from(copyText(batches), { highWaterMark: 1 }), stream)
}

async function* copyText(batches: AsyncIterable<readonly (readonly CopyValue[])[]>) {
  for await (const rows of batches) {
    // An empty buffer would be skipped, but costs a turn.
    if (rows.length === 0) continue
    yield Buffer.from(rows.map((row) => `${row.map(copyValue).join('\t')}\n`).join(''))
  }
}

function copyValue(value: CopyValue): string {
  if (value === null) return '\\N'
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  return String(value).replace(/[\\\n\r\t]/g, (char) => ESCAPES[char] ?? char)
}
