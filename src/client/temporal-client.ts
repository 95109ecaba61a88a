import { Client, Connection } from '@temporalio/client'
import { UnavailableError } from '../errors.ts'
import { temporalProfile } from '../temporal-profile.ts'

export interface TemporalClient {
  readonly client: Client
  close(): Promise<void>
}

const CONNECT_TIMEOUT = '10 seconds'

/**
 * A client of the Temporal server at `address` (host:port).
 * @throws UnavailableError `temporal_unreachable`
 */
export async function connectTemporal(address: string, namespace: string): Promise<TemporalClient> {
  try {
    const connection = await Connection.connect({
      ...temporalProfile().options,
      address,
      connectTimeout: CONNECT_TIMEOUT,
    })
    return {
      client: new Client({ connection, namespace }),
      close: () => connection.close(),
    }
  } catch (error) {
    throw new UnavailableError({
      code: 'temporal_unreachable',
      message: `No Temporal server answers at ${address}.`,
      hint: './record-linker doctor tells more; if TEMPORAL_ADDRESS is set, check it or unset it.',
      cause: error,
    })
  }
}
