import type { BatchProtocol } from './batch-protocol.ts'
import { batchProtocol02 } from './batch-protocol-0-2.ts'
import { batchProtocol10 } from './batch-protocol-1-0.ts'

/** Best first: the draft may still change. 0.1 and 0.2 carry batches alike. */
const spoken: readonly (readonly [string, BatchProtocol])[] = [
  ['0.2', batchProtocol02],
  ['0.1', batchProtocol02],
  ['1.0-draft', batchProtocol10],
]

/** What we speak, for a message. */
export const spokenVersions = spoken.map(([version]) => version).join(', ')

/** The best protocol we share with a service; undefined when there is none. */
export function protocolFor(versions: readonly string[]): BatchProtocol | undefined {
  return spoken.find(([version]) => versions.includes(version))?.[1]
}
