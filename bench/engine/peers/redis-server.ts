import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { anyFreePort } from '../../../src/client/stack/free-port.ts'

export interface RedisServer {
  readonly port: number
  readonly stop: () => Promise<void>
}

export function isRedisThere(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0
}

/** On loopback, writing each change to its log every second as its documentation advises for data that matter. */
export async function startRedis(folder: string): Promise<RedisServer> {
  const port = await anyFreePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const server: ChildProcess = spawn(
    'redis-server',
    [...args, '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let log = ''
  await new Promise<void>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`redis-server ended with code ${code}: ${log}`)))
    server.stdout?.on('data', (text: Buffer) => {
      log += text.toString()
      if (log.includes('Ready to accept connections')) resolve()
    })
  })
  server.removeAllListeners('exit')
  return {
    port,
    async stop() {
      const exit = once(server, 'exit')
      server.kill('SIGTERM')
      await exit
    },
  }
}
