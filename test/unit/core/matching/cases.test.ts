/**
 * Each of the 35 cases of research/reconciliation.md §5 is tested under its name, `case 12: …`, in a file that is about
 * matching: other files have cases of their own under equal numbers.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const CASES = 35

/** Where the tests of a case stand, below test/. */
const files: Readonly<Record<number, readonly string[]>> = {
  1: ['unit/core/lookups.test.ts', 'unit/core/decide.test.ts', 'integration/import/import.test.ts'],
  2: ['unit/tabular/detect-format.test.ts', 'integration/import/import.test.ts'],
  3: ['unit/client/mapping.test.ts', 'integration/import/import.test.ts'],
  4: ['unit/core/lookups.test.ts', 'unit/tabular/read-csv.test.ts'],
  5: ['unit/core/decide.test.ts', 'unit/tabular/read-csv.test.ts'],
  6: [
    'unit/http/reconciliation/batch-protocol.test.ts',
    'unit/tabular/read-csv.test.ts',
    'integration/export/export.test.ts',
  ],
  7: ['unit/core/matching/given-item.test.ts'],
  8: ['unit/core/lookups.test.ts'],
  9: ['unit/core/lookups.test.ts', 'integration/match/match-run.test.ts'],
  10: ['unit/core/lookups.test.ts', 'unit/http/reconciliation/asking-in-batches.test.ts'],
  11: ['unit/core/matching/names-alike.test.ts'],
  12: [
    'unit/core/decide.test.ts',
    'unit/http/reconciliation/read-candidates.test.ts',
    'unit/http/reconciliation/read-manifest.test.ts',
  ],
  13: ['unit/core/decide.test.ts', 'unit/http/reconciliation/read-candidates.test.ts'],
  14: ['unit/http/reconciliation/read-candidates.test.ts'],
  15: [
    'unit/http/reconciliation/unusable-answers.test.ts',
    'unit/http/reconciliation/draft-service.test.ts',
    'integration/match/match-run.test.ts',
  ],
  16: ['unit/http/reconciliation/unusable-answers.test.ts', 'unit/http/classify-response.test.ts'],
  17: ['unit/http/reconciliation/failing-batches.test.ts'],
  18: ['unit/http/reconciliation/failing-batches.test.ts', 'integration/match/match-run.test.ts'],
  19: ['unit/http/reconciliation/asking-in-batches.test.ts'],
  20: [
    'unit/core/decide.test.ts',
    'unit/http/reconciliation/reconciliation-client.test.ts',
    'unit/http/wikidata/searches.test.ts',
  ],
  21: ['unit/http/redirects.test.ts', 'unit/http/reconciliation/reconciliation-client.test.ts'],
  22: ['unit/core/matching/score.test.ts'],
  23: ['time-skipping/match-waits.test.ts', 'integration/match/wikidata-troubles.test.ts'],
  24: ['unit/http/throttled-answers.test.ts', 'unit/limiter/refusals.test.ts'],
  25: ['unit/http/http-client.test.ts', 'unit/client/match/missing-contact.test.ts'],
  26: ['unit/http/classifiers/sparql.test.ts'],
  27: ['unit/http/wikidata/fetch-items.test.ts', 'integration/match/wikidata.test.ts'],
  28: ['unit/http/wikidata/fetch-items.test.ts'],
  29: ['unit/http/wikidata/statement-values.test.ts'],
  30: ['unit/http/wikidata/fetch-items.test.ts', 'integration/match/wikidata.test.ts'],
  31: ['unit/http/commons/image-address.test.ts', 'integration/match/extend-images.test.ts'],
  32: ['faults/kill-everything.test.ts'],
  33: ['faults/cancel.test.ts'],
  34: ['unit/core/matching/properties-alike.test.ts'],
  35: ['unit/core/matching/properties-alike.test.ts', 'unit/core/matching/score.test.ts'],
}

/** Parts that are not built yet: their cases may have no test. To be emptied as they arrive. */
const notBuilt: Readonly<Record<number, string>> = {}

const testFolder = join(import.meta.dirname, '../../..')

function isTested(number: number, file: string): boolean {
  const path = join(testFolder, file)
  if (!existsSync(path)) return false
  // A title, or a row of a table that begins with one.
  const title = new RegExp(
    `^\\s*(?:it|test|describe|\\]\\)|['"\`]|\\[?['"\`]).*\\bcase ${number}\\b`,
  )
  return readFileSync(path, 'utf8')
    .split('\n')
    .some((line) => title.test(line))
}

const numbers = Array.from({ length: CASES }, (_, index) => index + 1)

it.each(numbers)('case %d of matching is tested in each file named for it', (number) => {
  const without = (files[number] ?? ['no file is named']).filter((file) => !isTested(number, file))
  expect(number in notBuilt ? [] : without).toEqual([])
})

it('what is not built has not arrived: a file that is there has its cases', () => {
  const there = Object.keys(notBuilt).flatMap((number) => files[Number(number)] ?? [])
  const arrived = there.filter((file) => existsSync(join(testFolder, file)))
  const untested = Object.entries(files).flatMap(([number, named]) =>
    named.filter((file) => arrived.includes(file) && !isTested(Number(number), file)),
  )
  expect(untested).toEqual([])
})
