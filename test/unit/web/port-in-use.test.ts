import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { serveWeb } from '../../../src/web/serve-web.ts'

it('a port that is taken may be of pages of ours: the hint names their address, and no option that review lacks', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const stack = {
    temporalAddress: '127.0.0.1:1',
    temporalNamespace: 'default',
    databaseUrl: 'postgres://127.0.0.1:1/none',
    home: '/nowhere',
  }
  const served = serveWeb({
    config: loadConfig({}),
    stack,
    host: '127.0.0.1',
    port,
    allowedHosts: [],
    token: undefined,
    log: () => undefined,
  })
  await expect(served).rejects.toMatchObject({
    code: 'port_in_use',
    hint: `Somebody listens there, perhaps a "serve" or "review" of yours: look at http://127.0.0.1:${port}\nOr take another --port (0 takes a free one).`,
  })
  taken.close()
})
