import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import { outputOption, printAnswer, say, type OutputFormat } from '../output.ts'

const texts = {
  stopped: 'All servers are stopped.',
  leftovers: 'What a killed stack had left running is stopped.',
  'nothing ran': 'Nothing is running.',
}

export function register(program: Command): void {
  program
    .command('down')
    .summary('stop the embedded servers')
    .description(
      'Stops the embedded servers of this home and returns when all are down: first the worker, which finishes what it is doing, then the others. Data stays.',
    )
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  ./record-linker down\n  ./record-linker down -o json')
    .action(async ({ output }: { output: OutputFormat }) => {
      const { stopStack } = await import('../stack/stop-stack.ts')
      const config = loadConfig(process.env)
      const result = await stopStack(config, say)
      printAnswer(
        output,
        { status: result.replace(' ', '_'), home: config.home },
        () => texts[result],
      )
    })
}
