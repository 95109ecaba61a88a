import { expect, it } from 'vitest'
import { isBlockedAddress, literalAddress } from '../../../../src/core/download/blocked-address.ts'

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'fc00::1',
  'fe80::1%eth0',
  'ff02::1',
  'no address',
  '',
])('rule 26: %s is blocked', (address) => {
  expect(isBlockedAddress(address)).toBe(true)
})

it.each(['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34', '64:ff9b::5db8:d822'])(
  'rule 26: %s is public',
  (address) => {
    expect(isBlockedAddress(address)).toBe(false)
  },
)

it('rule 26: allowed ranges open just what is in them', () => {
  expect(isBlockedAddress('10.1.2.3', ['10.1.0.0/16'])).toBe(false)
  expect(isBlockedAddress('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(false)
  expect(isBlockedAddress('10.2.2.3', ['10.1.0.0/16', '::1'])).toBe(true)
  expect(isBlockedAddress('::1', ['10.1.0.0/16', '::1'])).toBe(false)
})

it('rule 26: a URL spells a literal address in one way only', () => {
  const hosts = ['2130706433', '0x7f.1', '0177.0.0.1', '①②⑦.0.0.1']
  for (const host of hosts) {
    expect(literalAddress(new URL(`http://${host}/`).hostname)).toBe('127.0.0.1')
  }
  expect(literalAddress('[::1]')).toBe('::1')
  expect(literalAddress('example.org')).toBeUndefined()
})
