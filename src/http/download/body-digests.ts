import { createHash, type Hash } from 'node:crypto'
import type { ExpectedDigest } from '../../core/download/artifact-plan.ts'

/** Several digests of the same bytes while they come. */
export class BodyDigests {
  readonly #hashes: ReadonlyMap<ExpectedDigest['algorithm'], Hash>

  constructor(algorithms: Iterable<ExpectedDigest['algorithm']>) {
    this.#hashes = new Map([...new Set(algorithms)].map((name) => [name, createHash(name)]))
  }

  update(bytes: Uint8Array): void {
    for (const hash of this.#hashes.values()) hash.update(bytes)
  }

  /** Hex of what came so far; undefined for one that was not wanted. */
  hex(algorithm: ExpectedDigest['algorithm']): string | undefined {
    return this.#hashes.get(algorithm)?.copy().digest('hex')
  }

  /** The first that does not match; null: all do. */
  mismatch(expected: readonly ExpectedDigest[]): ExpectedDigest['algorithm'] | null {
    const wrong = expected.find(({ algorithm, hex }) => this.hex(algorithm) !== hex.toLowerCase())
    return wrong?.algorithm ?? null
  }
}
