/** A way to a server that can be cut and mended, for outages that only one process sees. */
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Breaks all connections; further ones are refused. */
  readonly cut: () => Promise<void>
  readonly mend: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1')
    keep(incoming, outgoing)
    keep(outgoing, incoming)
    incoming.pipe(outgoing)
    outgoing.pipe(incoming)
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.resetAndDestroy()
    })
  return {
    port,
    cut,
    mend: () => listen(port),
    close: () => (server.listening ? cut() : Promise.resolve()),
  }
}
