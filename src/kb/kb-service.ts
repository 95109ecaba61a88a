/** Serves a knowledge-base file over HTTP until it is closed. */
import { basename } from 'node:path'
import { createKbApp } from './kb-app.ts'
import { createKbIndex } from './kb-index.ts'
import { listenForJson, type Listening } from './listen-for-json.ts'
import { readKbFile } from './read-kb-file.ts'
import { counted } from '../core/counted.ts'

export interface KbServiceOptions {
  /** JSONL, plain or gzipped. */
  readonly file: string
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string | undefined
  /** 0 (default) takes a free port. */
  readonly port?: number | undefined
  /** 1 to 1,000, default 50. */
  readonly batchSize?: number | undefined
  /** Candidates per query when the query does not say; 1 to 100, default 10. */
  readonly limit?: number | undefined
  /** Shown in the manifest; default from the file name. */
  readonly name?: string | undefined
  /** Gets one line per bad row and other warning; default writes to stderr. */
  readonly warn?: ((line: string) => void) | undefined
}

export interface KbService extends Listening {
  readonly items: number
  readonly badLines: number
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/
const BAD_LINES_SHOWN = 20

/** Reads the file, builds the index, listens. Throws UsageError for the file, the port or the host. */
export async function startKbService(options: KbServiceOptions): Promise<KbService> {
  const { file, host = '127.0.0.1', port = 0 } = options
  const warn = options.warn ?? ((line: string) => void process.stderr.write(`${line}\n`))
  if (!LOOPBACK.test(host)) {
    warn(`Warning: listening on ${host}: anyone who reaches this machine can ask this service.`)
  }
  let shown = 0
  const { items, badLines } = await readKbFile(file, (line, reason) => {
    shown++
    if (shown <= BAD_LINES_SHOWN) warn(`${file}:${line}: left out, ${reason}`)
  })
  if (badLines > BAD_LINES_SHOWN) warn(`${file}: ${badLines} lines left out in all`)
  const app = createKbApp(createKbIndex(items), {
    name:
      options.name ??
      `${basename(file).replace(/\.jsonl(\.gz)?$/, '')} (${counted(items.length, 'item')})`,
    batchSize: options.batchSize,
    limit: options.limit,
  })
  const listening = await listenForJson(app.fetch, host, port)
  return { ...listening, items: items.length, badLines }
}
