import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { ArtifactPlan, ExpectedDigest } from '../core/download/artifact-plan.ts'
import type { CachedAnswer } from '../db/http-cache.repo.ts'
import type { BlobStore } from '../store/blob-store.ts'

/** Whether a stored content is what the plan expects: the answer may be older than the expectation. */
export async function isExpected(
  store: Pick<BlobStore, 'open'>,
  { sha256, bytes, type }: Pick<CachedAnswer, 'sha256' | 'bytes' | 'type'>,
  { expected = {} }: Pick<ArtifactPlan, 'expected'>,
): Promise<boolean> {
  const { types, digests = [], maxBytes = Infinity, minBytes = 0 } = expected
  if ((expected.bytes ?? bytes) !== bytes || bytes > maxBytes || bytes < minBytes) return false
  if (types !== undefined && type !== null && !types.some((one) => fits(one, type))) return false
  for (const digest of digests) {
    const isRight =
      digest.algorithm === 'sha256' ? digest.hex === sha256 : await hasDigest(store, sha256, digest)
    if (!isRight) return false
  }
  return true
}

function fits(wanted: string, type: string): boolean {
  return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type
}

async function hasDigest(
  store: Pick<BlobStore, 'open'>,
  sha256: string,
  { algorithm, hex }: ExpectedDigest,
): Promise<boolean> {
  const hash = createHash(algorithm)
  await pipeline(store.open(sha256), hash)
  return hash.digest('hex') === hex
}
