import type { BatchProtocol } from './batch-protocol.ts'
import { batchProtocol02 } from './batch-protocol-0-2.ts'

/** The best protocol we share with a service; undefined when there is none. 0.1 and 0.2 carry batches alike. */
export function protocolFor(versions: readonly string[]): BatchProtocol | undefined {
  return versions.some((version) => version === '0.2' || version === '0.1')
    ? batchProtocol02
    : undefined
}
