import { WIKIDATA_SERVICE } from '../core/wikidata/wikidata-service.ts'
import { UsageError } from '../errors.ts'
import type { HttpClient } from '../http/http-client.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'
import type { KnownService } from './known-service.ts'
import { createReconciliationSource } from './reconciliation-source.ts'
import { createWikidataSource } from './wikidata-source.ts'

export interface ServiceDirectory {
  /** @throws UsageError `unknown_service` for a name that is neither known here nor a URL. */
  find(service: string, projectId: number): KnownService
}

export interface ServiceDirectoryOptions {
  readonly http: Pick<HttpClient, 'request'>
  /** Service name → address, such as those of `sample` and `wikidata`. */
  readonly addresses: Readonly<Record<string, string>>
  readonly credentials: ServiceCredentials
  /** OAuth 2 access token for Wikidata. */
  readonly wikidataToken: string | undefined
}

export function createServiceDirectory(options: ServiceDirectoryOptions): ServiceDirectory {
  const known = new Map<string, KnownService>()
  return {
    find(service, projectId) {
      const url = addressOf(service, options.addresses)
      const key = `${projectId} ${service} ${url}`
      const found = known.get(key) ?? createSource(options, service, url, projectId)
      known.set(key, found)
      return found
    },
  }
}

function createSource(
  { http, credentials, wikidataToken }: ServiceDirectoryOptions,
  service: string,
  url: string,
  projectId: number,
): KnownService {
  const common = { http, url, project: `project/${projectId}` }
  return service === WIKIDATA_SERVICE
    ? createWikidataSource({ ...common, accessToken: wikidataToken })
    : createReconciliationSource({ ...common, credentials })
}

function addressOf(service: string, addresses: Readonly<Record<string, string>>): string {
  if (/^https?:\/\//i.test(service)) return service
  const address = Object.hasOwn(addresses, service) ? addresses[service] : undefined
  if (address !== undefined) return address
  const names = Object.keys(addresses)
  throw new UsageError({
    code: 'unknown_service',
    message: `The worker knows no service "${service}"; expected a URL${names.length > 0 ? ` or one of: ${names.join(', ')}` : ''}.`,
    hint: 'Set another with: ./record-linker project set ID --service URL',
  })
}
