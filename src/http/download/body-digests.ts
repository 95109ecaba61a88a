import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { ExpectedDigest } from '../../core/download/artifact-plan.ts'
import type { FileHasher, HashRun } from './file-hasher.ts'

type Algorithm = ExpectedDigest['algorithm']

/** Several digests of the same bytes while they come. */
export class BodyDigests {
  readonly #algorithms: readonly Algorithm[]
  /** null: they are hashed elsewhere. */
  #hashes: ReadonlyMap<Algorithm, Hash> | null
  #aside: { readonly run: HashRun; readonly path: string } | undefined
  #bytes = 0

  constructor(algorithms: Iterable<Algorithm>) {
    this.#algorithms = [...new Set(algorithms)]
    this.#hashes = hashesOf(this.#algorithms)
  }

  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    if (this.#hashes === null) return
    for (const hash of this.#hashes.values()) hash.update(bytes)
  }

  /** From now on a thread hashes the file that the bytes are written to, from its beginning. @returns who is to be told that it grows */
  goAside(hasher: FileHasher, path: string): HashRun {
    const run = hasher.begin(path, this.#algorithms)
    this.#aside = { run, path }
    this.#hashes = null
    return run
  }

  get isAside(): boolean {
    return this.#aside !== undefined
  }

  /** Hex of what came so far; undefined for one that was not wanted. */
  async hex(algorithm: Algorithm): Promise<string | undefined> {
    if (this.#aside === undefined) return this.#hashes?.get(algorithm)?.copy().digest('hex')
    const { run, path } = this.#aside
    const bytes = this.#bytes
    try {
      return (await run.hexAt(bytes)).get(algorithm)
    } catch (error) {
      if (run.isEnded()) throw error
      // The thread is gone, not the file.
      return (await hashed(path, bytes, this.#algorithms)).get(algorithm)?.digest('hex')
    }
  }

  /** The first that does not match; null: all do. */
  async mismatch(expected: readonly ExpectedDigest[]): Promise<Algorithm | null> {
    for (const { algorithm, hex } of expected) {
      if ((await this.hex(algorithm)) !== hex.toLowerCase()) return algorithm
    }
    return null
  }
}

function hashesOf(algorithms: readonly Algorithm[]): ReadonlyMap<Algorithm, Hash> {
  return new Map(algorithms.map((name) => [name, createHash(name)]))
}

async function hashed(
  path: string,
  bytes: number,
  algorithms: readonly Algorithm[],
): Promise<ReadonlyMap<Algorithm, Hash>> {
  const hashes = hashesOf(algorithms)
  let found = 0
  for await (const chunk of createReadStream(path, { end: bytes - 1 }) as AsyncIterable<Buffer>) {
    found += chunk.length
    for (const hash of hashes.values()) hash.update(chunk)
  }
  if (found === bytes) return hashes
  throw new Error(`${found} bytes of the file are written, expected ${bytes} to hash`)
}
