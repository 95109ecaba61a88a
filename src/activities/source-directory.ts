import type { SourceProfile } from '../core/extract/source-profile.ts'
import type { HttpClient } from '../http/http-client.ts'
import { createSourceAccess } from '../http/extract/source-access.ts'
import { createSourceClient, type SourceClient } from '../http/extract/source-client.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'

/** The clients of sources, one per profile and process, so that a token is shared by all who ask. */
export interface SourceDirectory {
  find(profile: SourceProfile): SourceClient
}

/** Profiles remembered at most. */
const MOST_KEPT = 100

export function createSourceDirectory(deps: {
  readonly http: Pick<HttpClient, 'request'>
  readonly credentials: ServiceCredentials
}): SourceDirectory {
  const { http, credentials } = deps
  const kept = new Map<string, SourceClient>()
  return {
    find(profile) {
      const key = JSON.stringify(profile)
      const found = kept.get(key)
      if (found !== undefined) return found
      if (kept.size >= MOST_KEPT) kept.clear()
      const access = createSourceAccess({ http, profile, credentials })
      const client = createSourceClient({ http, profile, access })
      kept.set(key, client)
      return client
    },
  }
}
