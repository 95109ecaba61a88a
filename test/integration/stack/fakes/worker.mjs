/** Stands in for the worker: says that it is ready, writes what it was given, ends when its keeper does. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const given = ['TEMPORAL_ADDRESS', 'DATABASE_URL', 'RECORD_LINKER_SAMPLE_URL', 'RECORD_LINKER_HOME']
writeFileSync(
  join(process.env['RECORD_LINKER_HOME'] ?? '', 'fake-worker.json'),
  JSON.stringify(Object.fromEntries(given.map((name) => [name, process.env[name]]))),
)
const alive = setInterval(() => undefined, 1000)
process.on('SIGTERM', () => clearInterval(alive))
process.on('SIGTERM', () => process.disconnect())
process.on('disconnect', () => clearInterval(alive))
process.send?.({ ready: true })
