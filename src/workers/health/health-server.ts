import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { UsageError } from '../../errors.ts'
import type { Readiness } from './worker-health.ts'

export interface HealthServerOptions {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly readiness: () => Readiness
}

export interface HealthServer {
  /** Without a final slash. */
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * `/healthz` answers as long as the process does: kill it when it does not. `/readyz` is 200 when it does its work and
 * 503 with the reason when it does not: wait, it goes on by itself.
 * @throws UsageError when the address cannot be used.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { host, port } = options
  const startedMs = performance.now()
  const app = new Hono()
  app.get('/healthz', (context) =>
    context.json({ status: 'alive', aliveMs: Math.round(performance.now() - startedMs) }),
  )
  app.get('/readyz', (context) => {
    const readiness = options.readiness()
    return context.json(readiness, readiness.status === 'ready' ? 200 : 503)
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => void listener(request, response))
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    throw new UsageError({
      code: 'health_port_unusable',
      message: `The worker cannot answer on ${host}, port ${port}: ${codeOf(cause)}.`,
      hint: 'Take another --health-port (0 takes a free one) or --health-host.',
      cause,
    })
  }
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
