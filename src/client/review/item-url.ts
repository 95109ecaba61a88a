import type { ServiceFacts } from '../../db/services.repo.ts'

/** The page of an item; '' where the service has none, or is not known yet. */
export function itemUrl(id: string, service: ServiceFacts | null): string {
  return service?.viewUrl?.replaceAll('{{id}}', encodeURIComponent(id)) ?? ''
}

/** The id in the address of an item's page, or in the item's URI; undefined for any other text. */
export function idInUrl(text: string, service: ServiceFacts | null): string | undefined {
  if (service === null) return undefined
  const [before = '', after = ''] = service.viewUrl?.split('{{id}}') ?? []
  const isPage = before !== '' && text.startsWith(before) && text.endsWith(after)
  const rest = isPage
    ? text.slice(before.length, text.length - after.length)
    : text.startsWith(service.identifierSpace)
      ? text.slice(service.identifierSpace.length)
      : ''
  if (rest === '' || /[\s/?#]/.test(rest)) return undefined
  try {
    return decodeURIComponent(rest)
  } catch {
    return undefined
  }
}
