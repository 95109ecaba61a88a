import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import type { Check } from '../doctor/check.ts'
import { exitCodes } from '../exit-codes.ts'
import { outputOption, printAnswer, type OutputFormat } from '../output.ts'

export function register(program: Command): void {
  program
    .command('doctor')
    .summary('check that everything needed works')
    .description(
      'Checks Node, PostgreSQL, Temporal, worker, sample service and contact: what is expected, what is there, how to repair it.',
    )
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  ./record-linker doctor\n  ./record-linker doctor -o json')
    .action(async ({ output }: { output: OutputFormat }) => {
      const { diagnose } = await import('../doctor/diagnose.ts')
      const checks = await diagnose(loadConfig(process.env))
      const ok = checks.every((check) => check.state !== 'failed')
      printAnswer(output, { ok, checks }, () => checks.map(checkText).join('\n'))
      if (!ok) process.exitCode = exitCodes.unreachable
    })
}

function checkText(check: Check): string {
  const line = `${check.state.padEnd(7)} ${check.name.padEnd(15)} ${check.actual}`
  if (check.state === 'ok') return line
  return `${line}\n        expected: ${check.expected}\n        fix:      ${check.fix}`
}
