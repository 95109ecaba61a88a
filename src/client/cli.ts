import { Command, CommanderError } from 'commander'
import { productVersion } from '../product-version.ts'
import { register as registerAnswers } from './commands/answers.ts'
import { register as registerCompletion } from './commands/completion.ts'
import { register as registerConfig } from './commands/config.ts'
import { register as registerDataset } from './commands/dataset.ts'
import { register as registerDoctor } from './commands/doctor.ts'
import { register as registerDownload } from './commands/download.ts'
import { register as registerDown } from './commands/down.ts'
import { register as registerEvaluate } from './commands/evaluate.ts'
import { register as registerExplain } from './commands/explain.ts'
import { register as registerExport } from './commands/export.ts'
import { register as registerExtend } from './commands/extend.ts'
import { register as registerExtract } from './commands/extract.ts'
import { register as registerFailures } from './commands/failures.ts'
import { register as registerImport } from './commands/import.ts'
import { register as registerJudgments } from './commands/judgments.ts'
import { register as registerLimits } from './commands/limits.ts'
import { register as registerMatch } from './commands/match.ts'
import { register as registerMigrate } from './commands/migrate.ts'
import { register as registerProject } from './commands/project.ts'
import { register as registerSchedule } from './commands/schedule.ts'
import { register as registerServe } from './commands/serve.ts'
import { register as registerServeKb } from './commands/serve-kb.ts'
import { register as registerServeSource } from './commands/serve-source.ts'
import { register as registerSuggest } from './commands/suggest.ts'
import { register as registerUp } from './commands/up.ts'
import { register as registerWeights } from './commands/weights.ts'
import { register as registerWorker } from './commands/worker.ts'
import { asksForJson, errorJson } from './error-json.ts'
import { errorText, exitCodeOf } from './exit-codes.ts'
import { endQuietlyOnClosedPipe, say } from './output.ts'
import { requireOptionsLast, withChildren } from './required-options.ts'

// In the order of use, which is the order of `--help`.
const registrations = [
  registerMatch,
  registerFailures,
  registerSchedule,
  registerImport,
  registerExtract,
  registerSuggest,
  registerProject,
  registerDataset,
  registerAnswers,
  registerExport,
  registerExtend,
  registerExplain,
  registerServe,
  registerJudgments,
  registerEvaluate,
  registerWeights,
  registerDownload,
  registerLimits,
  registerServeKb,
  registerServeSource,
  registerUp,
  registerDown,
  registerWorker,
  registerDoctor,
  registerConfig,
  registerMigrate,
  registerCompletion,
]

/**
 * Runs one command line.
 * @param argv without node and script
 * @returns the exit code (`exit-codes.ts`)
 */
export async function main(argv: readonly string[]): Promise<number> {
  endQuietlyOnClosedPipe()
  const program = createProgram()
  const isJson = asksForJson(argv)
  // Said once, below.
  if (isJson)
    for (const command of withChildren(program))
      command.configureOutput({ writeErr: () => undefined })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    const hint = bareNumberHint(error, argv)
    const text = isJson
      ? errorJson(error, hint)
      : [errorText(error), hint ?? ''].filter((one) => one !== '').join('\n')
    if (text !== '') say(text)
    return exitCodeOf(error)
  }
}

/** `start-match 123` means project 123. */
function bareNumberHint(error: unknown, argv: readonly string[]): string | undefined {
  if (!(error instanceof CommanderError) || error.code !== 'commander.excessArguments')
    return undefined
  const number = argv.find((word) => /^\d+$/.test(word))
  return number === undefined ? undefined : `(Did you mean --project ${number}?)`
}

/** All commands; nothing of them is loaded but their names and options. */
export function createProgram(): Command {
  const program = new Command('record-linker')
    .description(
      'Finds the Wikidata item each of your records is about: durable, polite, explained.',
    )
    .version(productVersion)
    .showHelpAfterError('(--help shows the options)')
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker start-match --project 123        the sample: 500 brands
  ./record-linker import brands.csv --dry-run      your own file, looked at first
  ./record-linker status`,
    )
  for (const register of registrations) register(program)
  for (const command of withChildren(program)) command.exitOverride()
  requireOptionsLast(program)
  return program
}
