import type { Client } from '@temporalio/client'
import type { Db } from '../../db/connect.ts'
import { withCommandContext } from '../command-context.ts'
import { say } from '../output.ts'
import { connectTemporal } from '../temporal-client.ts'
import { limitsPlace, readLimitsFile, type LimitsFile } from './limits-file.ts'

export interface LimitsContext {
  readonly client: Client
  readonly db: Db
  readonly file: LimitsFile
}

/** Opens database and Temporal for one piece of work on limits, reads the file, and closes all whatever happens. */
export async function withLimitsContext<T>(
  use: (context: LimitsContext) => Promise<T>,
): Promise<T> {
  return withCommandContext(async ({ config, stack, db }) => {
    const file = readLimitsFile(limitsPlace(config))
    for (const problem of file.problems) say(`warning: ${problem}`)
    if (file.problems.length > 0) say('  Left out until it is corrected; the rest is used.')
    const temporal = await connectTemporal(stack.temporalAddress, stack.temporalNamespace)
    try {
      return await use({ client: temporal.client, db, file })
    } finally {
      await temporal.close()
    }
  })
}
