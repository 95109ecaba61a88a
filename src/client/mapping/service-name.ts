import { WIKIDATA_SERVICE } from '../../core/wikidata/wikidata-service.ts'
import { UsageError } from '../../errors.ts'

/** Services that are known by a name instead of an address. */
const NAMES = ['sample', WIKIDATA_SERVICE]

/**
 * A service as it is stored: a name, or the address of a W3C reconciliation endpoint.
 * @throws UsageError `bad_service`
 */
export function serviceName(text: string): string {
  const service = text.trim()
  if (NAMES.includes(service)) return service
  if (/^https?:\/\//i.test(service) && URL.canParse(service)) {
    const { username, password } = new URL(service)
    if (username === '' && password === '') return service
    throw badService(`"${service}" carries a password, which would be stored and shown.`)
  }
  throw badService(
    `"${service}" is no service; expected ${NAMES.map((name) => `"${name}"`).join(', ')} or an address that starts with https:// or http://.`,
  )
}

function badService(message: string): UsageError {
  return new UsageError({
    code: 'bad_service',
    message,
    hint: 'Match against your own file with: ./record-linker serve-kb FILE.jsonl --port 8001',
  })
}
