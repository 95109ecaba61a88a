import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { httpScene } from './http-scene.ts'

describe('the connections to an origin', () => {
  it('are kept for the next request, and are not shared with another origin', async () => {
    const { service, ask } = await httpScene()
    const other = await httpScene()
    const connections = new Set<number | undefined>()
    for (let i = 0; i < 3; i++) {
      await ask()
      await ask({ url: other.service.url })
      connections.add(service.openConnections()).add(other.service.openConnections())
    }
    expect([...connections]).toEqual([1])
  })

  it('are closed with the client', async () => {
    const { service, http, ask } = await httpScene()
    await ask()
    expect(service.openConnections()).toBe(1)
    await http.close()
    await service.until(() => service.openConnections() === 0)
  })

  it('that never come to stand end as unreachable, in the time set for connecting', async () => {
    // Accepts, and leaves the hello of TLS unanswered.
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    try {
      const { permits, fail } = await httpScene({ json: {} }, { connectTimeoutMs: 50 })
      const error = await fail({ url: `https://127.0.0.1:${port}/` })
      expect(error).toMatchObject({ kind: 'unreachable', code: 'connect_timeout' })
      expect(permits.kinds()).toEqual(['failed'])
    } finally {
      silent.close()
    }
  })
})
