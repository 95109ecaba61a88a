import { join } from 'node:path'
import { z } from 'zod'
import { readJsonFile, writePrivateFile } from './private-file.ts'

const schema = z.object({
  home: z.string(),
  /** When another home's start first found that home gone; Unix time in ms. */
  goneSinceMs: z.number().optional(),
})

/** Whose data a folder in `/var/lib/record-linker` is. */
export type DataOwner = z.infer<typeof schema>

export function readOwner(folder: string): DataOwner | undefined {
  return readJsonFile(join(folder, 'owner.json'), schema)
}

export function writeOwner(folder: string, owner: DataOwner): void {
  writePrivateFile(join(folder, 'owner.json'), JSON.stringify(owner))
}
