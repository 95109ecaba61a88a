/** Who fetches the same files without a queue: nothing is remembered, checked, or found again after a crash. */
import { execFile } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'

/** Fetches addresses into a folder. @returns how long that took, ms */
export type Rival = (urls: readonly string[], folder: string, atOnce: number) => Promise<number>

/** `curl --parallel`. */
export const curl: Rival = async (urls, folder, atOnce) => {
  mkdirSync(folder, { recursive: true })
  const list = join(folder, 'urls.txt')
  const entries = urls.map(
    (url, number) => `url = "${url}"\noutput = "${join(folder, `${number}`)}"`,
  )
  writeFileSync(list, entries.join('\n'))
  const flags = ['--silent', '--show-error', '--fail', '--parallel', '--parallel-max', `${atOnce}`]
  const startedMs = performance.now()
  await promisify(execFile)('curl', [...flags, '--config', list])
  return performance.now() - startedMs
}

/** A loop over undici in this process. */
export const plainLoop: Rival = async (urls, folder, atOnce) => {
  mkdirSync(folder, { recursive: true })
  const agent = new Agent({ connections: atOnce })
  const startedMs = performance.now()
  const left = [...urls.entries()]
  const fetchOn = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [number, url] = next
      const { statusCode, body } = await request(url, { dispatcher: agent })
      if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}, expected 200`)
      await pipeline(body, createWriteStream(join(folder, `${number}`)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, fetchOn))
  const tookMs = performance.now() - startedMs
  await agent.close()
  return tookMs
}
