import type { Db } from '../db/connect.ts'
import { rememberServiceVersion } from '../db/service-versions.repo.ts'
import type { ServiceAbout } from '../db/tables/service-version.table.ts'

/** Which version of a service an answer is from. */
export interface ServiceVersions {
  /** The row that stands for what it says of itself; written once per reading of that (`CheckedService.about`). */
  idOf(service: string, about: ServiceAbout): Promise<number>
}

export function createServiceVersions(db: Db): ServiceVersions {
  const known = new WeakMap<ServiceAbout, number>()
  return {
    async idOf(service, read) {
      const found = known.get(read)
      if (found !== undefined) return found
      const { name, versions, serviceVersion, identifierSpace, batchSize } = read
      const about = { name, versions, serviceVersion, identifierSpace, batchSize }
      const id = await rememberServiceVersion(db, service, about)
      known.set(read, id)
      return id
    },
  }
}
