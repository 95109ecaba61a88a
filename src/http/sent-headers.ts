import { acceptEncoding } from './read-body.ts'

/**
 * The headers of a request, names in lower case: those given, with ours on top. Host, length and connection are added
 * when it is sent.
 * @param agentName see `userAgent`
 */
export function sentHeaders(
  given: Readonly<Record<string, string>>,
  agentName: string,
): Readonly<Record<string, string>> {
  const lowerCase = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])
  return {
    accept: 'application/json',
    'accept-encoding': acceptEncoding,
    ...Object.fromEntries(lowerCase),
    'user-agent': agentName,
  }
}
