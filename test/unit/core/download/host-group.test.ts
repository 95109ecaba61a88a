import { expect, it } from 'vitest'
import { hostGroup } from '../../../../src/core/download/host-group.ts'

it.each([
  ['images.example.co.uk', 'example.co.uk'],
  ['example.co.uk:8080', 'example.co.uk'],
  ['a.b.example.org', 'example.org'],
  ['one.github.io', 'one.github.io'],
  ['localhost:8000', 'localhost:8000'],
  ['127.0.0.1:8000', '127.0.0.1:8000'],
  ['[::1]:8000', '[::1]:8000'],
  ['co.uk', 'co.uk'],
])('hosts of one owner are one: %s', (host, group) => {
  expect(hostGroup(host, 'domain')).toBe(group)
  expect(hostGroup(host, 'host')).toBe(host)
})
