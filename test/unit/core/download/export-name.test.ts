import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { exportName, freeName, unknownFields } from '../../../../src/core/download/export-name.ts'
import { manifestLine } from '../../../../src/core/download/manifest.ts'

const sha256 = 'ab'.repeat(32)
const fields = { id: '17', n: '1', job: '5', name: 'x', item: 'Q1', property: 'P18', sha256 }
const named = (template: string, more: Partial<typeof fields> = {}, type: string | null = null) =>
  exportName(template, { ...fields, ...more }, { type, shown: 'photo.jpeg' })

it('a template is filled, and the ending is that of the bytes', () => {
  expect(named('{id}-{n}')).toBe('17-1.jpeg')
  expect(named('{id}-{n}', {}, 'application/pdf')).toBe('17-1.pdf')
  expect(named('{item}_{property}', {}, 'image/jpeg')).toBe('Q1_P18.jpeg')
  expect(named('{id}', { id: 'v1.2' }, 'image/png')).toBe('v1.2.png')
})

it('what a template does not know is told', () => {
  expect(unknownFields('{id}-{nr}-{n}')).toEqual(['nr'])
})

it('whatever an id is, the name is one safe part of a path', () => {
  const nasty = [
    '../../etc/passwd',
    '..\\..\\x',
    'CON',
    '.hidden',
    '\u202egnp.exe',
    'é'.repeat(300),
  ]
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary' })), (id) => {
      const name = named('{id}-{n}', { id })
      expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect(name).not.toMatch(/^\.|^(con|prn|aux|nul)(\.|$)|[. ]$/i)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
      expect(name).not.toBe('')
    }),
  )
})

it('two of one name get numbers, also when only their case differs', () => {
  const taken = new Set<string>()
  expect(['a.pdf', 'A.PDF', 'a.pdf', 'a-2.pdf', 'b'].map((name) => freeName(name, taken))).toEqual([
    'a.pdf',
    'A-2.PDF',
    'a-3.pdf',
    'a-2-2.pdf',
    'b',
  ])
})

it('a line of the manifest has its keys always in one order, and null for what is unknown', () => {
  const line = manifestLine({
    artifactId: 'url:https://example.org/a',
    entry: '17',
    outcome: 'done',
    reason: null,
    sha256,
    finalUrl: 'https://example.org/a',
    bytes: 5,
    type: 'image/jpeg',
    status: 200,
    cacheStatus: 'stored',
    name: 'a.jpg',
    licence: { author: 'A. Author', name: 'CC BY 4.0', url: null, credit: null },
  })
  expect(line).toBe(
    `{"artifact":"url:https://example.org/a","entry":"17","outcome":"done","reason":null,"sha256":"${sha256}","path":"sha256/ab/ab/${sha256}","final_url":"https://example.org/a","bytes":5,"type":"image/jpeg","status":200,"cache":"stored","name":"a.jpg","licence":"CC BY 4.0","licence_url":null,"author":"A. Author","credit":null}\n`,
  )
})
