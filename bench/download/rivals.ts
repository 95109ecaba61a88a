/** Who fetches the same files without a queue: nothing is remembered, checked, or found again after a crash. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'

const ARIA2 = 'aria2c'

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

/** aria2, one connection a file. */
export const aria2: Rival = async (urls, folder, atOnce) => {
  mkdirSync(folder, { recursive: true })
  const list = join(folder, 'urls.txt')
  writeFileSync(list, urls.map((url, number) => `${url}\n  out=${number}`).join('\n'))
  const flags = ['--quiet', `--dir=${folder}`, '--split=1', `--max-concurrent-downloads=${atOnce}`]
  const startedMs = performance.now()
  await promisify(execFile)(ARIA2, [...flags, `--input-file=${list}`])
  return performance.now() - startedMs
}

/** It is measured where it is installed. */
export async function hasAria2(): Promise<boolean> {
  return promisify(execFile)(ARIA2, ['--version']).then(
    () => true,
    () => false,
  )
}

/** What `curl` did, and then each file hashed and written to the disk itself, as a queue does. */
export const curlMadeSafe: Rival = async (urls, folder, atOnce) => {
  const startedMs = performance.now()
  await curl(urls, folder, atOnce)
  const files = urls.map((_, number) => join(folder, `${number}`))
  await promisify(execFile)('sync', files)
  await promisify(execFile)('sha256sum', files)
  return performance.now() - startedMs
}

/** A loop over undici in this process. */
export const plainLoop: Rival = (urls, folder, atOnce) =>
  loop(urls, folder, atOnce, async (body, path) => pipeline(body, createWriteStream(path)))

/** The same, but each file is hashed, and on the disk itself before it gets its name, and its name too. */
export const safeLoop: Rival = (urls, folder, atOnce) =>
  loop(urls, folder, atOnce, async (body, path) => {
    const hash = createHash('sha256')
    const file = await open(`${path}.part`, 'wx')
    for await (const chunk of body) {
      hash.update(chunk)
      await file.write(chunk)
    }
    hash.digest('hex')
    await file.sync()
    await file.close()
    await rename(`${path}.part`, path)
    const names = await open(folder, 'r')
    await names.sync()
    await names.close()
  })

async function loop(
  urls: readonly string[],
  folder: string,
  atOnce: number,
  keep: (body: AsyncIterable<Uint8Array>, path: string) => Promise<void>,
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const agent = new Agent({ connections: atOnce })
  const startedMs = performance.now()
  const left = [...urls.entries()]
  const fetchOn = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [number, url] = next
      const { statusCode, body } = await request(url, { dispatcher: agent })
      if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}, expected 200`)
      await keep(body, join(folder, `${number}`))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, fetchOn))
  const tookMs = performance.now() - startedMs
  await agent.close()
  return tookMs
}
