import { once } from 'node:events'
import { connect } from 'node:net'
import type { Config } from '../../config.ts'
import { UnavailableError } from '../../errors.ts'

const CONNECT_LIMIT_MS = 5000

/** @throws UnavailableError when a server that the environment names cannot be reached. */
export async function checkExternalServers(config: Config): Promise<void> {
  if (config.temporalAddress) {
    const { hostname, port } = new URL(`tcp://${config.temporalAddress}`)
    await checkReachable('Temporal', 'TEMPORAL_ADDRESS', hostname, Number(port))
  }
  if (config.databaseUrl) {
    const { hostname, port } = new URL(config.databaseUrl)
    // Without a host the address means a local socket, which the driver finds.
    if (hostname !== '') {
      await checkReachable('PostgreSQL', 'DATABASE_URL', hostname, Number(port || 5432))
    }
  }
}

async function checkReachable(
  name: string,
  setting: string,
  host: string,
  port: number,
): Promise<void> {
  const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_LIMIT_MS) })
  } catch (cause) {
    throw new UnavailableError({
      code: 'server_unreachable',
      message: `${name} at ${host}:${port} (from ${setting}) cannot be reached.`,
      hint: `Start that server, correct ${setting}, or unset it to use the embedded one.`,
      cause,
    })
  } finally {
    socket.destroy()
  }
}
