import { loadConfig } from '../../../../src/config.ts'
import { runKeeper } from '../../../../src/client/stack/keeper.ts'

/** A background keeper with stand-ins for the worker and the sample service. @param worker its file */
export async function runFakeKeeper(worker: string): Promise<void> {
  const end = await runKeeper({
    config: loadConfig(process.env),
    temporalCli: process.argv[2] ?? '',
    programs: {
      worker: new URL(worker, import.meta.url),
      sampleService: new URL('./sample-service.ts', import.meta.url),
    },
    foreground: false,
    report: (line) => process.stderr.write(`${line}\n`),
    onReady: () => process.stderr.write('Ready.\n'),
  })
  process.stderr.write(`Ended: ${end.why} ${'error' in end ? String(end.error) : ''}\n`)
  process.exit(end.why === 'failed' ? 1 : 0)
}
