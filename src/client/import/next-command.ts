import { basename } from 'node:path'
import type { ImportFlags } from '../commands/import.ts'
import { shellWord } from '../shell-word.ts'
import type { ImportPreview } from './preview-import.ts'
import { suggestedFlags } from './suggested-flags.ts'

/** What follows a dry run: the import, with what was proposed where nothing was said. */
export function nextLine(path: string, flags: ImportFlags, preview: ImportPreview): string {
  const target = targetWords(path, flags)
  if (preview.suggested === null) {
    const missing = flags.dataset ?? flags.project
    return missing === undefined
      ? `Next: the same command with ${target} in place of --dry-run`
      : 'Next: the same command without --dry-run'
  }
  const proposed = suggestedFlags(preview.suggested, flags.id ?? [])
  const start = `./record-linker import ${shellWord(path)} ${target}${readingWords(flags)}`
  return proposed === undefined
    ? `Next, with the column that has the name: ${start} --name COLUMN`
    : `Next, if that is right: ${start} ${proposed}`
}

function targetWords(path: string, { dataset, project }: ImportFlags): string {
  if (project !== undefined) return `--project ${project}`
  const stem = basename(path).replace(/(\.(csv|tsv|txt|jsonl|ndjson|json|xlsx|gz))+$/i, '')
  return `--dataset ${shellWord(dataset ?? stem)}`
}

/** How the file was said to be written, which the next command has to say again. */
function readingWords({ encoding, delimiter, quote, sheet }: ImportFlags): string {
  const said = { encoding, delimiter, quote: quote === null ? 'none' : quote, sheet }
  return Object.entries(said)
    .flatMap(([name, value]) => (value === undefined ? [] : [` --${name} ${shellWord(value)}`]))
    .join('')
}
