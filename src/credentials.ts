/** Secrets for services as the environment holds them: JSON by host. None is ever part of a message. */
import { z } from 'zod'
import { domainKey } from './core/domain-key.ts'

type Credentials = Readonly<Record<string, string>>

const EXPECTED = 'expected JSON like {"service.example.org": "user:password, token or key"}'

// What a header can hold; a line break in it would be a second header.
const secret = z.string().regex(/^[\x20-\x7e]+$/)
const byHost = z.record(z.string(), secret)

/** For a zod schema: the secrets by `domainKey`; anything else is an issue that does not repeat what was found. */
export function readCredentials(text: string, context: z.RefinementCtx): Credentials {
  const refuse = (what: string): typeof z.NEVER => {
    context.addIssue({ code: 'custom', message: `${EXPECTED}; ${what}` })
    return z.NEVER
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message would show a part of the text.
    return refuse('it is not JSON')
  }
  const parsed = byHost.safeParse(json)
  if (!parsed.success) {
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
    return refuse(isObject ? 'a secret in it is not printable ASCII' : 'it is no object')
  }
  try {
    return Object.fromEntries(
      Object.entries(parsed.data).map(([host, text]) => [domainKey(host), text]),
    )
  } catch {
    return refuse('one of its keys names no host')
  }
}

/** The text from which a child process reads the same; undefined for none. */
export function credentialsText(credentials: Credentials): string | undefined {
  return Object.keys(credentials).length === 0 ? undefined : JSON.stringify(credentials)
}

/** For people: the hosts only. */
export function maskCredentials(credentials: Credentials): Credentials {
  return Object.fromEntries(Object.keys(credentials).map((host) => [host, '***']))
}
