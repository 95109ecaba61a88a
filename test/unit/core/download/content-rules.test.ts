import { expect, it } from 'vitest'
import { decodingSteps } from '../../../../src/core/download/content-codings.ts'
import { formatEnd } from '../../../../src/core/download/format-end.ts'
import { declaredType } from '../../../../src/core/download/media-type.ts'
import { sliceDigests, wholeDigests } from '../../../../src/core/download/server-digests.ts'
import { sniffText } from '../../../../src/core/download/sniff-text.ts'
import { typeVerdict } from '../../../../src/core/download/type-verdict.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

it.each([
  ['<!doctype html><p>', 'text/html'],
  ['\ufeff  <!-- hello --><HTML lang="en">', 'text/html'],
  ['<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', 'text/html'],
  ['<html><p>how to write %PDF-1.4', 'text/html'],
  ['\n\n  %PDF-1.7', 'application/pdf'],
  [`${'x'.repeat(1_000)}%PDF-1.4`, 'application/pdf'],
  [`${'x'.repeat(1_024)}%PDF-1.4`, null],
  ['<svg xmlns="http://www.w3.org/2000/svg">', 'image/svg+xml'],
  ['<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg width="1">', 'image/svg+xml'],
  ['<?xml version="1.0"?><rdf:RDF>', 'application/xml'],
  ['{"a": 1}', 'application/json'],
  [' [1, 2]', 'application/json'],
  ['{not json', null],
  ['a,b\n1,"2,3"\n', 'text/csv'],
  ['a;b;c\n1;2;3', 'text/csv'],
  ['Dear all,\nhello\n', null],
  ['\u0001\u0002,\n,', null],
  ['', null],
])('rule 15: sniffs %j as %s', (head, type) => {
  expect(sniffText(bytes(head))).toBe(type)
})

it.each([
  [['application/pdf'], 'application/pdf', 'application/pdf', 'right'],
  [['application/pdf'], 'application/pdf', 'text/html', 'wrong'],
  [['application/pdf'], 'application/pdf', null, 'wrong'],
  [['application/pdf'], null, 'application/pdf', 'right'],
  [['image/*'], 'image/png', 'image/jpeg', 'right'],
  [['image/*'], 'text/html', 'image/svg+xml', 'right'],
  [['image/*'], null, null, 'wrong'],
  [['text/plain'], 'text/plain', null, 'right'],
  [['text/plain'], null, null, 'right'],
  [['text/plain'], 'text/plain', 'text/html', 'wrong'],
  [['text/plain'], 'text/plain', 'text/csv', 'right'],
  [['application/ld+json'], null, 'application/json', 'right'],
  [['application/epub+zip'], 'application/epub+zip', 'application/zip', 'right'],
  [[], 'application/pdf', 'text/html', 'wrong'],
  [[], 'text/html', 'text/html', 'right'],
  [[], null, null, 'right'],
] as const)('rule 15: expected %j, said %s, is %s: %s', (expected, declared, detected, verdict) => {
  expect(typeVerdict({ expected, declared, detected })).toBe(verdict)
})

it('a header that says nothing is no type', () => {
  expect(declaredType({ 'content-type': 'Application/X-PDF; q=1' })).toBe('application/pdf')
  for (const text of ['binary/octet-stream', 'nonsense', '']) {
    expect(declaredType({ 'content-type': text })).toBeNull()
  }
})

it.each([
  ['application/pdf', '%PDF-1.7 … %%EOF\n', 'whole'],
  ['application/pdf', `%PDF-1.7 %%EOF${'x'.repeat(2_000)}`, 'cut'],
  ['image/png', '…IEND\u00aeB`\u0082', 'whole'],
  ['image/png', '…IDAT', 'cut'],
  ['image/jpeg', '…\u00ff\u00d9 preview', 'whole'],
  ['image/jpeg', '…', 'cut'],
  ['image/gif', '…;', 'whole'],
  ['application/zip', '…PK\u0005\u0006comment', 'whole'],
  ['application/zip', '…PK\u0001\u0002', 'cut'],
  ['image/svg+xml', '<svg></svg>\n', 'whole'],
  ['image/svg+xml', '<svg><path', 'cut'],
  ['image/webp', 'RIFF\u0002\0\0\0WE', 'whole'],
  ['image/webp', 'RIFF\u0003\0\0\0WE', 'cut'],
  ['text/plain', 'any', 'unknown'],
  [null, 'any', 'unknown'],
])('rule 3: a %s that ends in %j is %s', (type, text, end) => {
  const file = Uint8Array.from(text, (char) => char.charCodeAt(0))
  expect(formatEnd({ type, head: file, tail: file, bytes: file.length })).toBe(end)
})

it('rule 18: reads the digests that hosts send, and ignores what it does not know', () => {
  const md5 = btoa('0123456789abcdef')
  const hex = Buffer.from('0123456789abcdef').toString('hex')
  const found = [{ algorithm: 'md5', hex }]
  expect(wholeDigests({ 'content-md5': md5 })).toEqual(found)
  expect(wholeDigests({ digest: `MD5=${md5},crc32=abcd` })).toEqual(found)
  expect(wholeDigests({ 'repr-digest': `md5=:${md5}:, sha-256=:AAAA:` })).toEqual(found)
  expect(wholeDigests({ etag: `"${hex}"`, digest: 'sha-256=!', 'content-md5': 'x' })).toEqual([])
  expect(sliceDigests({ 'content-digest': `md5=:${md5}:`, digest: `md5=${md5}` })).toEqual(found)
})

it('rule 4: undoes what it knows, in the other order, and not too much of it', () => {
  expect(decodingSteps(['gzip', 'br'])).toEqual(['br', 'gzip'])
  expect(decodingSteps(['gzip', 'zstd'])).toBeUndefined()
  expect(decodingSteps(Array.from({ length: 6 }, () => 'gzip'))).toBeUndefined()
})
