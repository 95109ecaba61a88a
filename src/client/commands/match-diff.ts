import type { Command } from 'commander'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface DiffFlags {
  readonly project: number
  readonly output: OutputFormat
}

/** Defines `match diff`. */
export function defineDiff(command: Command): void {
  addProjectFlag(command)
    .summary('what changed between two runs')
    .description(
      'Compares the records as they stood after two runs of a project: what their runs had concluded up to then.',
    )
    .argument('<earlier>', 'number of a run, or its id as "start-match -o json" gives it; 0: none')
    .argument('<later>', 'likewise')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
new: matched now, not before. changed: another item, which is for review. lost: no longer matched.
merged: its item became part of another. stale: judged, and changed since. moved: anything else.
Text shows the first ten of each, json and jsonl all of them. What is judged counts as stale only.

Examples:
  ./record-linker match diff 4 5 --project 123
  ./record-linker match diff 4 5 --project 123 -o jsonl | jq -r 'select(.kind == "lost").id'`,
    )
    .action(async (earlier: string, later: string, flags: DiffFlags) => {
      const { runDiff } = await import('../match/run-diff.ts')
      await runDiff(earlier, later, flags)
    })
}
