import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { displayName, longestNameBytes } from '../../../../src/core/download/display-name.ts'

it.each([
  ['report.pdf', null, 'report.pdf'],
  ['/etc/passwd', null, 'passwd'],
  ['a/b\\c.png', 'image/png', 'c.png'],
  ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
  ['archive.tar.gz', 'application/gzip', 'archive.tar.gz'],
  ['paper.docx', 'application/zip', 'paper.docx'],
  ['setup.exe', null, 'setup.exe.download'],
  ['setup.exe', 'application/pdf', 'setup.pdf'],
  ['.htaccess', null, 'htaccess'],
  ['..', null, null],
  ['', 'application/pdf', null],
  ['nul', null, '_nul'],
  ['Lpt1.tar.gz', null, '_Lpt1.tar.gz'],
  ['a\u202egpj.exe', 'image/png', 'agpj.png'],
  ['a\u0000\u0007b. . ', null, 'ab'],
  ['what? <1>|2*.txt', null, 'what_ _1__2_.txt'],
])('rule 25: shows %j of type %s as %j', (name, type, shown) => {
  expect(displayName(name, type)).toBe(shown)
})

it('rule 25: a name never leads anywhere, is never hidden, reserved or too long, and stays itself', () => {
  const types = fc.constantFrom(null, 'application/pdf', 'image/jpeg', 'text/unknown')
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: fc.constantFrom('.', '/', '\\', ' ', 'a', 'é', '\u202e', 'con', '.exe') }),
  )
  fc.assert(
    fc.property(names, types, (name, type) => {
      const shown = displayName(name, type)
      if (shown === null) return
      expect(shown).not.toMatch(/[/\\<>:"|?*\p{C}]/u)
      expect(shown).not.toMatch(/^[\s.]|[\s.]$/)
      expect(shown).not.toMatch(/^(?:con|nul|prn|aux)(?:\.|$)/i)
      expect(shown).not.toMatch(/\.(?:exe|sh|bat)$/i)
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(longestNameBytes)
      expect(displayName(shown, type)).toBe(shown)
    }),
    { numRuns: 300 },
  )
})
