/**
 * Who may ask. A page of another site must not reach this server through its visitor's browser: neither by another name
 * for its address (the Host header is checked) nor by sending a form or a fetch here (the origin of each change is).
 */
import { timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { sha256 } from '../../db/sha256.ts'
import { ProblemError } from '../problem.ts'

export interface GuardOptions {
  /** Names, without ports, under which it may be asked. */
  readonly hosts: readonly string[]
  /** Null: none is needed. */
  readonly token: string | null
}

export const TOKEN_COOKIE = 'record_linker_token'
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** What is shown to anybody: the page that asks for the token, and its looks. */
const OPEN_PATHS = /^\/(login$|assets\/)/
/** What is only read, but asked of others to be read: a picture on a foreign page must not spend permits. */
const ASKING_PATHS = /^\/(p\/[^/]+\/(search$|picture\/)|projects\/[^/]+\/items$)/

export function requestGuard({ hosts, token }: GuardOptions): MiddlewareHandler {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()))
  return async (c, next) => {
    const host = hostName(c.req.header('Host') ?? '')
    if (host === null || !allowed.has(host)) {
      throw new ProblemError(403, {
        code: 'foreign_host',
        detail: `Asked as "${c.req.header('Host') ?? ''}", which is not a name of this server.`,
        hint: 'Add the name: ./record-linker serve --allow-host NAME',
      })
    }
    if (!SAFE_METHODS.has(c.req.method) || ASKING_PATHS.test(c.req.path)) checkOrigin(c.req.raw)
    if (token !== null && !OPEN_PATHS.test(c.req.path)) {
      const given = bearerOf(c.req.header('Authorization')) ?? getCookie(c, TOKEN_COOKIE)
      if (given === undefined || !isSameToken(given, token)) {
        if (c.req.method === 'GET' && accepts(c.req.header('Accept'), 'text/html')) {
          return c.redirect('/login', 303)
        }
        throw new ProblemError(401, {
          code: 'token_required',
          detail:
            given === undefined ? 'No token was given.' : 'The token is not the one expected.',
          hint: 'Send it as "Authorization: Bearer TOKEN".',
        })
      }
    }
    await next()
    return undefined
  }
}

/** In a time that tells nothing of where they differ. */
export function isSameToken(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}

/** Browsers tell from where a change comes; programs that are no browser send neither header. */
function checkOrigin(request: Request): void {
  const site = request.headers.get('Sec-Fetch-Site')
  const origin = request.headers.get('Origin')
  const isForeign =
    (site !== null && site !== 'same-origin' && site !== 'none') ||
    (origin !== null && !isOwn(origin, request.headers.get('Host') ?? ''))
  if (!isForeign) return
  throw new ProblemError(403, {
    code: 'foreign_origin',
    detail: `This was asked for by ${origin ?? `a ${site} page`}, which is not this server.`,
  })
}

function isOwn(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

/** Null for what is no host. */
function hostName(host: string): string | null {
  const address = `http://${host}`
  if (host === '' || !URL.canParse(address)) return null
  return new URL(address).hostname
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
}

function accepts(header: string | undefined, type: string): boolean {
  return (header ?? '').includes(type)
}
