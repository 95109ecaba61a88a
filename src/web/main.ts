/** The pages as a child process of the keeper: their port is the argument. */
import { loadConfig } from '../config.ts'
import { serveWeb } from './serve-web.ts'

const config = loadConfig(process.env)
const webUiUrl = process.env['RECORD_LINKER_TEMPORAL_UI']
const sampleServiceUrl = process.env['RECORD_LINKER_SAMPLE_URL']
const web = await serveWeb({
  config,
  stack: {
    temporalAddress: config.temporalAddress ?? '',
    temporalNamespace: config.temporalNamespace,
    databaseUrl: config.databaseUrl ?? '',
    home: config.home,
    ...(webUiUrl ? { webUiUrl } : {}),
    ...(sampleServiceUrl ? { sampleServiceUrl } : {}),
  },
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  allowedHosts: [],
  log: (line) => process.stderr.write(`${new Date().toISOString()} ${line}\n`),
})

let ending = false
function end(): void {
  if (ending) return
  ending = true
  void web.close().finally(() => process.exit(0))
}
process.on('SIGTERM', end)
process.on('disconnect', end) // the keeper was killed
process.send?.({ ready: true })
