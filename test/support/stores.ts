/** One empty store of each kind, for what must hold of both. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { blobPath } from '../../src/core/download/blob-path.ts'
import { partName } from '../../src/core/download/part-name.ts'
import type { BlobStore, StagedFile } from '../../src/store/blob-store.ts'
import { openBlobStore } from '../../src/store/open-blob-store.ts'
import { startS3Stub } from './s3-stub.ts'

export interface StoreScene {
  readonly store: BlobStore
  /** Puts bytes under a name behind the store's back. */
  readonly plant: (sha256: string, bytes: Buffer) => void
  readonly close: () => Promise<void>
}

/** Keys for the stub, which does not look at them. */
export const s3Keys = {
  AWS_ACCESS_KEY_ID: 'stub',
  AWS_SECRET_ACCESS_KEY: 'stub',
  // Its makers ask for a newer Node; this one is the least that we promise.
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
}

export const storeKinds = {
  'a folder': openFolderScene,
  S3: openS3Scene,
} as const satisfies Readonly<Record<string, () => Promise<StoreScene>>>

export async function openFolderScene(): Promise<StoreScene & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  const store = await openBlobStore(pathToFileURL(folder).href, { reserveBytes: 0 })
  return {
    store,
    folder,
    plant(sha256, bytes) {
      const path = join(folder, blobPath(sha256))
      rmSync(path, { force: true })
      writeFileSync(path, bytes)
    },
    async close() {
      store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function openS3Scene() {
  Object.assign(process.env, s3Keys)
  const stub = await startS3Stub()
  const stagingDir = mkdtempSync(join(tmpdir(), 'staging-'))
  const uri = `s3://${stub.bucket}/some/prefix?endpoint=${stub.endpoint}`
  const store = await openBlobStore(uri, { stagingDir, reserveBytes: 0 })
  return {
    store,
    stub,
    plant(sha256: string, bytes: Buffer) {
      stub.objects.set(`some/prefix/${blobPath(sha256)}`, {
        body: bytes,
        type: undefined,
        at: new Date(),
      })
    },
    async close() {
      store.close()
      await stub.close()
      rmSync(stagingDir, { recursive: true, force: true })
    },
  }
}

/** Writes a file for a store to take. */
export function staged(store: Pick<BlobStore, 'tempDir'>, content: Buffer | string): StagedFile {
  const bytes = Buffer.from(content)
  const path = join(store.tempDir, partName('1', randomUUID()))
  writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 })
  return { path, sha256: hashOf(bytes), bytes: bytes.length, type: 'text/plain' }
}

export function hashOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}
