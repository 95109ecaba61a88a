import { z } from 'zod'
import { readJsonFile, writePrivateFile } from './private-file.ts'
import type { ProcessMark } from './process-identity.mjs'

const markSchema = z.object({ pid: z.number(), identity: z.string() })
const partNames = ['postgres', 'temporal', 'worker', 'sampleService', 'pages'] as const
const schema = z.object({
  /** A record in a copied folder is about the processes of the other one. */
  home: z.string(),
  processes: z.partialRecord(z.enum(partNames), markSchema),
})

export type PartName = (typeof partNames)[number]

/** The processes that a home's keeper started, in a file, so that the next one finds what a killed one left. */
export interface ProcessRecord {
  readonly get: (name: PartName) => ProcessMark | undefined
  readonly set: (name: PartName, mark: ProcessMark) => void
}

export function processRecord(file: string, home: string): ProcessRecord {
  const stored = readJsonFile(file, schema)
  const processes = stored?.home === home ? stored.processes : {}
  return {
    get: (name) => processes[name],
    set: (name, mark) => {
      processes[name] = mark
      writePrivateFile(file, JSON.stringify({ home, processes }))
    },
  }
}
