/** What every benchmark has in common as a program: its options, and exit code 2 for wrong ones. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from '../src/errors.ts'

/** @returns what `bench` returns: 0, or 1 when a goal is missed; 2 with a line on stderr for wrong usage. */
export async function exitCode(bench: () => Promise<number>): Promise<number> {
  try {
    return await bench()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n${error.hint ?? ''}\n`)
    return 2
  }
}

/** How a benchmark prints what it measured. */
export type BenchOutput = 'text' | 'json' | 'markdown'

/** Reads `-o` and `--markdown`. @throws UsageError for an output that there is not */
export function readOutput(
  name: string,
  { output, markdown }: { readonly output: string; readonly markdown: boolean },
): BenchOutput {
  if (output !== 'text' && output !== 'json') {
    throw benchUsage(name, `-o is ${output}, expected text or json`)
  }
  return markdown ? 'markdown' : output
}

/**
 * @param name Folder of the benchmark, whose `main.ts` tells the options.
 * @throws UsageError for an option that is not in the list.
 */
export function readArgs<T extends ParseArgsConfig>(
  name: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw benchUsage(name, error instanceof Error ? error.message : String(error))
  }
}

/** @param message Found and expected, without a full stop. */
export function benchUsage(name: string, message: string): UsageError {
  return new UsageError({
    code: 'bench_usage',
    message: `bench:${name}: ${message}.`,
    hint: `See the top of bench/${name}/main.ts for all options.`,
  })
}
