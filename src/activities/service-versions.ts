import type { Db } from '../db/connect.ts'
import { rememberServiceVersion } from '../db/service-versions.repo.ts'
import type { ReconciliationManifest } from '../http/reconciliation/read-manifest.ts'

/** Which version of a service an answer is from. */
export interface ServiceVersions {
  /** The row that stands for what this manifest says; written once per reading of the manifest. */
  idOf(service: string, manifest: ReconciliationManifest): Promise<number>
}

export function createServiceVersions(db: Db): ServiceVersions {
  const known = new WeakMap<ReconciliationManifest, number>()
  return {
    async idOf(service, manifest) {
      const found = known.get(manifest)
      if (found !== undefined) return found
      const { name, versions, serviceVersion, identifierSpace, batchSize } = manifest
      const about = { name, versions, serviceVersion, identifierSpace, batchSize }
      const id = await rememberServiceVersion(db, service, about)
      known.set(manifest, id)
      return id
    },
  }
}
