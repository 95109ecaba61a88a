import { readFileSync } from 'node:fs'

/** What a workflow must never do. */
export async function readsAFile(): Promise<string> {
  return readFileSync('/dev/null', 'utf8')
}
