/** Hosts that speak TLS, with certificates that are as they should be, and with others. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Issued, makeAuthority, makeSelfSigned } from '../../support/certificates.ts'
import { type FetchSite, openFetchSite } from '../../support/fetch-site.ts'

const authority = makeAuthority('An authority of our own')
const between = authority.authority('One that it vouches for')
const stranger = makeAuthority('An authority of somebody else')
const wished = { names: ['files.test'] }

const leaf = between.issue(wished)
const chains: Readonly<Record<string, Issued>> = {
  whole: { ...leaf, cert: leaf.cert + between.cert },
  incomplete: leaf,
  expired: authority.issue({ ...wished, days: [-30, -1] }),
  early: authority.issue({ ...wished, days: [1, 30] }),
  otherName: authority.issue({ names: ['other.test'] }),
  selfSigned: makeSelfSigned(wished),
  stranger: withOwn(stranger.issue(wished), stranger.cert),
}

const servers = new Map<string, Server>()
let requests = 0
let site: FetchSite

beforeAll(async () => {
  for (const [name, { key, cert }] of Object.entries(chains)) {
    const server = createServer({ key, cert }, (_, response) => {
      requests += 1
      response.end('the file')
    })
    // What a client says of a certificate that it does not take.
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.set(name, server)
  }
  site = await openFetchSite({}, { guard: guardWith({ 'files.test': authority.cert }) })
})

afterAll(async () => {
  await site.close()
  for (const server of servers.values()) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

it('rule 28: an authority of our own is trusted for its host, and for no other', async () => {
  const got = await site.get({ url: address('whole') })
  expect(got.content.toString()).toBe('the file')
  const plain = await openFetchSite({}, { guard: guardWith({ 'other.test': authority.cert }) })
  const failure = await plain.failure({ url: address('whole') })
  expect([failure.reason, failure.kind]).toEqual(['tls-incomplete-chain', 'permanent'])
  await plain.close()
})

it.each([
  ['expired', 'tls-expired'],
  ['early', 'tls-failed'],
  ['otherName', 'tls-name-mismatch'],
  ['selfSigned', 'tls-self-signed'],
  ['stranger', 'tls-self-signed'],
  ['incomplete', 'tls-incomplete-chain'],
] as const)(
  'rule 28: a certificate that is not right ends it for good, before anything is asked: %s',
  async (name, reason) => {
    const before = requests
    const failure = await site.failure({ url: address(name) })
    expect([failure.reason, failure.kind]).toEqual([reason, 'permanent'])
    expect(failure.hint).toContain('certificate authority')
    expect(requests).toBe(before)
    expect(await site.files()).not.toContainEqual(expect.stringContaining(`${name}.part`))
  },
)

function guardWith(authorities: Readonly<Record<string, string>>) {
  const lookup = ((_name: string, _options: object, done: (...found: unknown[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as never
  return { allowed: ['127.0.0.1/32'], authorities, lookup }
}

function address(name: string): string {
  const place = servers.get(name)?.address() as AddressInfo | undefined
  return `https://files.test:${place?.port ?? 0}/file`
}

function withOwn(issued: Issued, cert: string): Issued {
  return { ...issued, cert: issued.cert + cert }
}
