/** The sample knowledge base as a child process of the keeper: port and cache folder are its arguments. */
import { startKbService } from '../../kb/kb-service.ts'
import { sampleKnowledgeBasePath } from '../sample/sample-knowledge-base.ts'

const [port, cacheFolder = ''] = process.argv.slice(2)
const file = await sampleKnowledgeBasePath(cacheFolder)
const service = await startKbService({ file, host: '127.0.0.1', port: Number(port) })

let ending = false
function end(): void {
  if (ending) return
  ending = true
  void service.close().finally(() => process.exit(0))
}
process.on('SIGTERM', end)
process.on('disconnect', end) // the keeper was killed
process.send?.({ ready: true })
