import { expect, it } from 'vitest'
import { contentRange } from '../../../../src/core/download/content-range.ts'
import {
  continuesPart,
  firstAnswer,
  isWholePart,
  resumeHeaders,
} from '../../../../src/core/download/resume-policy.ts'

const modified = 'Mon, 01 Jan 2024 00:00:00 GMT'
const strong = firstAnswer({ etag: '"a"', 'content-length': '100' })
const dated = firstAnswer({ 'last-modified': modified, date: 'Mon, 01 Jan 2024 00:05:00 GMT' })

it.each([
  [{}],
  [{ etag: 'W/"a"' }],
  [{ etag: 'a' }],
  [{ 'last-modified': modified }],
  [{ 'last-modified': modified, date: 'Mon, 01 Jan 2024 00:00:30 GMT' }],
  [{ etag: '"a"', 'accept-ranges': 'none' }],
  [{ etag: '"a"', 'content-encoding': 'gzip' }],
])('rule 19: nothing is resumed by %o', (headers) => {
  expect(resumeHeaders(firstAnswer(headers), 10)).toBeUndefined()
})

it('asks for the rest of the very same file', () => {
  expect(resumeHeaders(strong, 10)).toEqual({ range: 'bytes=10-', 'if-range': '"a"' })
  expect(resumeHeaders(dated, 10)).toEqual({ range: 'bytes=10-', 'if-range': modified })
  expect(resumeHeaders(strong, 0)).toBeUndefined()
})

it.each([
  [{ etag: '"a"', 'content-range': 'bytes 10-99/100' }, true],
  [{ etag: '"a"', 'content-range': 'bytes 10-99/*' }, true],
  [{ etag: '"b"', 'content-range': 'bytes 10-99/100' }, false],
  [{ 'content-range': 'bytes 10-99/100' }, false],
  [{ etag: '"a"', 'content-range': 'bytes 9-99/100' }, false],
  [{ etag: '"a"', 'content-range': 'bytes 10-89/90' }, false],
  [{ etag: '"a"', 'content-range': 'bytes 10-50/100' }, false],
  [{ etag: '"a"' }, false],
  [{ etag: '"a"', 'content-range': 'bytes 10-99/100', 'content-encoding': 'gzip' }, false],
])('appends %o: %s', (headers, appends) => {
  expect(continuesPart(strong, 10, headers)).toBe(appends)
})

it('rule 5: a slice of what is encoded is neither asked for nor appended, so none is ever decoded', () => {
  const encoded = { etag: '"a"', 'content-encoding': 'gzip' }
  expect(resumeHeaders(firstAnswer(encoded), 10)).toBeUndefined()
  const slice = { ...encoded, 'content-range': 'bytes 10-99/100' }
  expect(continuesPart(strong, 10, slice)).toBe(false)
})

it('rule 8: a header means the same as a text and as a list', () => {
  const headers = { etag: ['"a"'], 'content-length': ['100'] }
  expect(firstAnswer(headers)).toEqual(strong)
  const slice = { etag: ['"a"'], 'content-range': ['bytes 10-99/100'] }
  expect(continuesPart(strong, 10, slice)).toBe(true)
})

it('a date need not be repeated, but may not be another one', () => {
  const headers = { 'content-range': 'bytes 10-99/100' }
  expect(continuesPart(dated, 10, headers)).toBe(true)
  const other = { ...headers, 'last-modified': 'Tue, 02 Jan 2024 00:00:00 GMT' }
  expect(continuesPart(dated, 10, other)).toBe(false)
})

it('rule 11: a refused range ends the file only where the part is all of it', () => {
  expect(isWholePart(strong, 100, { 'content-range': 'bytes */100' })).toBe(true)
  expect(isWholePart(strong, 90, { 'content-range': 'bytes */90' })).toBe(false)
  expect(isWholePart(strong, 100, { 'content-range': 'bytes */101' })).toBe(false)
  expect(isWholePart(strong, 100, {})).toBe(false)
})

it.each(['bytes 5-4/10', 'bytes 0-10/10', 'bytes -5/10', 'items 0-1/2', 'bytes 0-1', ''])(
  'reads no range from "%s"',
  (text) => {
    expect(contentRange({ 'content-range': text })).toBeUndefined()
  },
)
