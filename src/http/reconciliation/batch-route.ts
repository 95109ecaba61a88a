/**
 * How batches reach one service: where to, in which version and with which secret. Its manifest tells, and redirects
 * correct it; until a manifest was read, the configured address is taken for an endpoint of 0.2 that asks nobody who
 * he is.
 */
import type { LookupQuery } from '../../core/matching/lookup-query.ts'
import { batchProtocol02 } from './batch-protocol-0-2.ts'
import type { BatchReading, BatchRequest } from './batch-protocol.ts'
import { nameTypes } from './name-types.ts'
import { protocolFor } from './protocol-for.ts'
import type { ReconciliationManifest } from './read-manifest.ts'
import { withoutSecret } from './security-scheme.ts'
import {
  authorised,
  credentialsMissing,
  secretFor,
  type ServiceCredentials,
} from './service-credentials.ts'

export interface BatchRoute {
  /** @throws OutsideCallError kind `endpoint`: `credentials_missing`, `credentials_unencrypted`. */
  follow(manifest: ReconciliationManifest): void
  /** @throws OutsideCallError kind `endpoint`: `credentials_unencrypted`. */
  encode(queries: readonly LookupQuery[]): BatchRequest
  /** @throws what `BatchProtocol.read` throws. */
  read(bodyText: string, queries: readonly LookupQuery[]): BatchReading
  /** A batch was answered at `url`: the next go there. */
  arrived(url: string): void
  /** Where a redirect led is gone: the next batch begins at the configured address again. */
  lost(): void
}

export function createBatchRoute(url: string, credentials: ServiceCredentials): BatchRoute {
  let protocol = batchProtocol02
  let manifest: ReconciliationManifest | undefined
  let address = protocol.address(url)
  return {
    follow(read) {
      const { authentication, endpoint, versions } = read
      if (authentication && secretFor(credentials, endpoint) === undefined) {
        throw credentialsMissing(endpoint, authentication)
      }
      manifest = read
      protocol = protocolFor(versions) ?? protocol
      address = protocol.address(endpoint)
    },
    encode(queries) {
      const request = protocol.encode(address, queries)
      return authorised(request, manifest?.authentication ?? null, credentials)
    },
    read: (bodyText, queries) =>
      nameTypes(protocol.read(bodyText, queries), manifest?.defaultTypes ?? []),
    arrived(at) {
      address = withoutSecret(at, manifest?.authentication ?? null)
    },
    lost() {
      address = protocol.address(url)
    },
  }
}
