import { expect, it } from 'vitest'
import { groupedPermits } from '../../../src/activities/grouped-permits.ts'

/** @param refused domain that has no permit */
function asking(refused?: string) {
  const told: string[] = []
  const permits = {
    async acquire({ domain }: { readonly domain: string }) {
      if (domain === refused) throw new Error('no permit')
      told.push(`got ${domain}`)
      return {
        domain,
        report: ({ kind }: { readonly kind: string }) => void told.push(`${kind} ${domain}`),
        giveBack: () => void told.push(`back ${domain}`),
      }
    },
  }
  const { signal } = new AbortController()
  const acquire = (domain: string, grouping: 'host' | 'domain') =>
    groupedPermits(permits, grouping).acquire({ domain, project: 'p', signal })
  return { told, acquire }
}

it('where hosts of a domain are one service, a request counts with its host and with all of them', async () => {
  const { told, acquire } = asking()
  const permit = await acquire('images.example.org', 'domain')
  expect(permit.domain).toBe('images.example.org')
  permit.report({ kind: 'throttled' })
  expect(told).toEqual([
    'got images.example.org',
    'got example.org',
    'throttled images.example.org',
    'throttled example.org',
  ])
})

it('one of the host that bears the name of the group is asked for once, and so is any where hosts are not grouped', async () => {
  const { told, acquire } = asking()
  await acquire('example.org', 'domain')
  await acquire('127.0.0.1:8080', 'domain')
  await acquire('images.example.org', 'host')
  expect(told).toEqual(['got example.org', 'got 127.0.0.1:8080', 'got images.example.org'])
})

it('where the group has none the one of the host is given back, and what is not used gives back both', async () => {
  const refused = asking('example.org')
  await expect(refused.acquire('a.example.org', 'domain')).rejects.toThrow('no permit')
  expect(refused.told).toEqual(['got a.example.org', 'back a.example.org'])
  const { told, acquire } = asking()
  const permit = await acquire('a.example.org', 'domain')
  permit.giveBack()
  expect(told.slice(2)).toEqual(['back a.example.org', 'back example.org'])
})
