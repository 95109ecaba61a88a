import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { UsageError } from '../errors.ts'

/**
 * Certificates of authorities by host, out of their files.
 * @throws UsageError `bad_authority`
 */
export async function readAuthorities(
  files: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const read = Object.entries(files).map(async ([host, file]) => [host, await pemOf(host, file)])
  return Object.fromEntries(await Promise.all(read))
}

async function pemOf(host: string, file: string): Promise<string> {
  try {
    const pem = await readFile(file, 'utf8')
    void new X509Certificate(pem)
    return pem
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new UsageError({
      code: 'bad_authority',
      message: `The certificate authority of ${host} ${isMissing ? 'is not in' : 'cannot be read from'} ${file}; expected a certificate (PEM) on the machine of the worker.`,
      hint: 'Correct "authorities" in the settings of the queue, then run: ./record-linker download resume',
      cause,
    })
  }
}
