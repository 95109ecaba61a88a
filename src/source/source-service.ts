import { listenForJson, type Listening } from '../kb/listen-for-json.ts'
import { createSourceApp, SOURCE_PATH, type SourceAppOptions } from './source-app.ts'
import { DEFAULT_SOURCE_SIZE } from './source-size.ts'

export interface SourceServiceOptions extends Partial<SourceAppOptions> {
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string
  /** 0 (default) takes a free port. */
  readonly port?: number
}

const DEFAULT_CREDENTIALS = 'demo:demo'

/** Makes the source and listens; its `url` is the base URL of the API. @throws UsageError for the port or the host */
export async function startSourceService(options: SourceServiceOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, ...rest } = options
  const app = createSourceApp({
    seed: 1,
    size: DEFAULT_SOURCE_SIZE,
    credentials: DEFAULT_CREDENTIALS,
    tokenLifeS: 3_600,
    day: 1,
    requestsPerDay: null,
    requestsPerMinute: null,
    faultPercent: 0,
    forbiddenDetails: 0,
    mostRows: null,
    delayMs: 0,
    ...rest,
  })
  const listening = await listenForJson(app.fetch, host, port)
  return { ...listening, url: `${listening.url}${SOURCE_PATH}` }
}
