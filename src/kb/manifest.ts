import type { KbIndex } from './kb-index.ts'

const DEFAULT_TYPES = 20
const WIKIDATA_ID = /^[QPL]\d+$/
const SERVICE_VERSION = '1'

/** What the service tells about itself; `base` is the address it was asked at, without a final slash. */
export function manifestOf(index: KbIndex, name: string, batchSize: number, base: string): object {
  const isWikidata = index.items.every(({ qid }) => WIKIDATA_ID.test(qid))
  return {
    versions: ['0.2'],
    name,
    serviceVersion: SERVICE_VERSION,
    identifierSpace: isWikidata ? 'http://www.wikidata.org/entity/' : `${base}/item/`,
    schemaSpace: isWikidata ? 'http://www.wikidata.org/prop/direct/' : `${base}/property/`,
    view: { url: isWikidata ? 'https://www.wikidata.org/wiki/{{id}}' : `${base}/item/{{id}}` },
    defaultTypes: index.types.used
      .slice(0, DEFAULT_TYPES)
      .map(({ id }) => ({ id, name: index.nameOf(id) })),
    batchSize,
    suggest: {
      entity: { service_url: base, service_path: '/suggest/entity' },
      type: { service_url: base, service_path: '/suggest/type' },
      property: { service_url: base, service_path: '/suggest/property' },
    },
    extend: {
      propose_properties: { service_url: base, service_path: '/properties' },
      property_settings: [
        {
          name: 'limit',
          label: 'Limit',
          type: 'number',
          default: 0,
          help_text: 'Values per cell at most, 0 for all',
        },
      ],
    },
  }
}
