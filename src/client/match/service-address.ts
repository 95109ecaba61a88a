import { WIKIDATA_SERVICE } from '../../core/wikidata/wikidata-service.ts'
import type { CommandContext } from '../command-context.ts'

export interface ServicePlaces {
  readonly config: Pick<CommandContext['config'], 'wikidataUrl'>
  readonly stack: Pick<CommandContext['stack'], 'sampleServiceUrl'>
}

/** Where the service of a project is. @returns undefined for a name that only the worker can resolve */
export function serviceAddress(
  service: string,
  { config, stack }: ServicePlaces,
): string | undefined {
  if (service === WIKIDATA_SERVICE) return config.wikidataUrl
  if (/^https?:\/\//i.test(service)) return service
  return service === 'sample' ? stack.sampleServiceUrl : undefined
}
