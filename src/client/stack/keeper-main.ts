/** Entry of a keeper in the background; its output is the log `up.log` of the home. */
import { loadConfig } from '../../config.ts'
import { runKeeper } from './keeper.ts'
import { stackPrograms } from './stack-programs.ts'

const end = await runKeeper({
  config: loadConfig(process.env),
  temporalCli: process.argv[2] ?? '',
  programs: stackPrograms,
  foreground: false,
  report: logLine,
  onReady: () => logLine('Ready.'),
})
logLine(`Ended: ${end.why}.`)
if (end.why === 'failed') logLine(String(end.error))
process.exit(end.why === 'failed' ? 1 : 0)

function logLine(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`)
}
