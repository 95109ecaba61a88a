import { timingSafeEqual } from 'node:crypto'

/** Tokens that a login gives out, each for a time. */
export interface LoginTokens {
  readonly lifeS: number
  /** undefined: these credentials are not the right ones. */
  login(id: string, secret: string): string | undefined
  isValid(authorization: string | undefined): boolean
}

/**
 * @param credentials `id:secret`
 * @param lifeS seconds that a token is good for
 * @param nowMs monotonic
 */
export function createLoginTokens(
  credentials: string,
  lifeS: number,
  nowMs: () => number,
): LoginTokens {
  const ends = new Map<string, number>()
  return {
    lifeS,
    login(id, secret) {
      if (!isSame(`${id}:${secret}`, credentials)) return undefined
      const token = `token-${ends.size + 1}-${crypto.randomUUID()}`
      ends.set(token, nowMs() + lifeS * 1000)
      return token
    },
    isValid(authorization) {
      const token = /^(?:token|bearer) (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
      return nowMs() < (ends.get(token) ?? 0)
    },
  }
}

function isSame(found: string, expected: string): boolean {
  const [a, b] = [Buffer.from(found), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
