/**
 * How a source is told who asks. A secret is sent as it is, or traded for a token:
 *
 *   no token ──▶ log in ──▶ token ── soon over ──▶ log in
 *                             └── refused (401) ──▶ log in once, ask again ── refused again ──▶ the run pauses
 *
 * Tokens live in this process only. Whoever needs one while somebody logs in waits for that login.
 */
import type { LoginAuth, SourceProfile } from '../../core/extract/source-profile.ts'
import { nameAt } from '../../core/extract/value-at.ts'
import { domainKey } from '../../core/domain-key.ts'
import { OutsideCallError } from '../../errors.ts'
import type { HttpClient } from '../http-client.ts'
import { secretFor, type ServiceCredentials } from '../reconciliation/service-credentials.ts'
import { withSecret } from '../reconciliation/security-scheme.ts'
import { parseExactJson } from './exact-json.ts'
import type { SourceCall } from './source-client.ts'

interface AddressedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface SourceAccess {
  /**
   * Sends a request with what the source wants to know.
   * @throws OutsideCallError kind `endpoint`: `credentials_missing`, `login_failed`, or what `send` throws
   */
  authorised<T>(
    request: AddressedRequest,
    call: SourceCall,
    send: (request: AddressedRequest) => Promise<T>,
  ): Promise<T>
}

export interface SourceAccessDeps {
  readonly http: Pick<HttpClient, 'request'>
  readonly profile: Pick<SourceProfile, 'name' | 'baseUrl' | 'auth'>
  readonly credentials: ServiceCredentials
  /** Monotonic, ms. */
  readonly nowMs?: () => number
}

interface Token {
  readonly value: string
  readonly endsAtMs: number
}

/** A token is renewed so long before its end, and never before half of its life. */
const RENEWED_EARLY_MS = 60_000
/** Of a token whose answer says nothing. */
const USUAL_LIFE_S = 3_600

export function createSourceAccess(deps: SourceAccessDeps): SourceAccess {
  const { profile, credentials } = deps
  const { auth } = profile
  if (auth.kind === 'none') return { authorised: (request, _, send) => send(request) }
  if (auth.kind === 'login') return loginAccess(deps, auth)
  const scheme =
    auth.kind === 'header' ? ({ kind: 'apiKey', in: 'header', name: auth.name } as const) : auth
  return {
    authorised: async (request, _, send) =>
      send(withSecret(request, scheme, secretOf(profile, credentials))),
  }
}

function loginAccess(deps: SourceAccessDeps, auth: LoginAuth): SourceAccess {
  const { nowMs = () => performance.now() } = deps
  let token: Promise<Token> | undefined
  const renewed = (call: SourceCall): Promise<Token> => {
    const login = logIn(deps, auth, call, nowMs)
    token = login
    // A login that failed is not kept.
    login.catch(() => {
      if (token === login) token = undefined
    })
    return login
  }
  const valid = async (call: SourceCall): Promise<Token> => {
    const kept = await token?.catch(() => undefined)
    return kept === undefined || nowMs() >= kept.endsAtMs ? renewedOnce(kept, call) : kept
  }
  // Of all who want another token at once, one logs in.
  const renewedOnce = async (refused: Token | undefined, call: SourceCall): Promise<Token> => {
    for (;;) {
      const pending = token
      const kept = await pending?.catch(() => undefined)
      if (kept !== undefined && kept !== refused) return kept
      if (token === pending) return renewed(call)
    }
  }
  return {
    async authorised(request, call, send) {
      const first = await valid(call)
      try {
        return await send(withToken(request, auth, first))
      } catch (error) {
        if (!(error instanceof OutsideCallError) || error.code !== 'unauthorised') throw error
        return send(withToken(request, auth, await renewedOnce(first, call)))
      }
    },
  }
}

function withToken(request: AddressedRequest, auth: LoginAuth, token: Token): AddressedRequest {
  const authorization = `${auth.scheme} ${token.value}`
  return { ...request, headers: { ...request.headers, authorization } }
}

async function logIn(
  { http, profile, credentials }: SourceAccessDeps,
  auth: LoginAuth,
  call: SourceCall,
  nowMs: () => number,
): Promise<Token> {
  const secret = secretOf(profile, credentials)
  const colon = secret.indexOf(':')
  const form = new URLSearchParams({
    [auth.idField]: secret.slice(0, Math.max(colon, 0)),
    [auth.secretField]: secret.slice(colon + 1),
  })
  const url = `${profile.baseUrl}${auth.path}`
  const { bodyText } = await http
    .request({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      signal: call.signal,
      project: `source/${profile.name}`,
      onExchange: call.onExchange,
    })
    .catch((error: unknown) => {
      throw isTurnedAway(error) ? loginFailed(error.message, 'Check the credentials') : error
    })
  const answer = parsedOrNull(bodyText)
  const value = nameAt(answer, auth.tokenPath)
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) {
    throw loginFailed(`${url} sent no token at "${auth.tokenPath}".`, 'Correct the profile')
  }
  const lifeMs = Number(nameAt(answer, auth.expiresInPath) ?? USUAL_LIFE_S) * 1000 || 0
  return { value, endsAtMs: nowMs() + Math.max(lifeMs - RENEWED_EARLY_MS, lifeMs / 2) }
}

function isTurnedAway(error: unknown): error is OutsideCallError {
  return error instanceof OutsideCallError && ['endpoint', 'permanent'].includes(error.kind)
}

function loginFailed(message: string, step: string): OutsideCallError {
  const hint = `${step}, then resume the run.`
  return new OutsideCallError({ kind: 'endpoint', code: 'login_failed', message, hint })
}

function parsedOrNull(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return null
  }
}

function secretOf(
  { baseUrl }: SourceAccessDeps['profile'],
  credentials: ServiceCredentials,
): string {
  const secret = secretFor(credentials, baseUrl)
  if (secret !== undefined) return secret
  const host = domainKey(baseUrl)
  throw new OutsideCallError({
    kind: 'endpoint',
    code: 'credentials_missing',
    message: `${host} wants credentials; none are set for this host.`,
    hint: `Set RECORD_LINKER_CREDENTIALS='{"${host}": "…"}', restart with ./record-linker down and up, then resume the run.`,
  })
}
