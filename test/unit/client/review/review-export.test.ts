import { describe, expect, it } from 'vitest'
import type { ReviewResult } from '../../../../src/db/review.repo.ts'
import { WIKIDATA_FACTS } from '../../../../src/db/services.repo.ts'
import {
  findReviewColumns,
  reviewColumnNames,
  reviewColumns,
} from '../../../../src/client/review/review-columns.ts'
import { reviewExport } from '../../../../src/client/review/review-export.ts'
import { readReviewKey } from '../../../../src/client/review/review-key.ts'
import { entryResult } from '../../../support/entry-results.ts'

const feature = { weight: 1, record: 'SECRET', candidate: 'SECRET' }
const result: ReviewResult = {
  ...entryResult({ status: 'review', reason: 'two are alike' }),
  subjectId: 7,
  matchHash: Buffer.alloc(32, 0x12),
  candidates: [
    {
      id: 'Q1',
      label: 'Ann',
      description: 'painter',
      score: 91,
      veto: 'Another date',
      features: [
        { ...feature, feature: 'name', verdict: 'agree', how: 'form A' },
        { ...feature, feature: 'P17', verdict: 'unknown', how: '' },
        { ...feature, feature: 'P569', verdict: 'disagree', how: '' },
      ],
    },
  ],
}

describe('a review row', () => {
  const { names, values } = reviewExport('match_', WIKIDATA_FACTS)
  const row = Object.fromEntries(names.map((name, index) => [name, values(result)[index]]))

  it('has up to three candidates, each with why, and room for a decision', () => {
    expect(row).toMatchObject({
      match_status: 'review',
      match_reason: 'two are alike',
      match_1_qid: 'Q1',
      match_1_label: 'Ann',
      match_1_description: 'painter',
      match_1_url: 'https://www.wikidata.org/wiki/Q1',
      match_1_score: 91,
      match_1_reason: 'name agrees (form A); P569 disagrees; never automatic: Another date',
      match_2_qid: null,
      match_3_reason: null,
      decision: null,
      decision_note: null,
    })
    expect(values(result)).toHaveLength(names.length)
  })

  it('has a key that no spreadsheet takes for a number or a date', () => {
    expect(row['match_key']).toMatch(/^r7-121212121212-[0-9a-f]{12}$/)
    expect(readReviewKey(` ${String(row['match_key']).toUpperCase()} `)).toMatchObject({
      subjectId: 7,
      cellsDigest: '121212121212',
    })
    expect(readReviewKey('7')).toBeUndefined()
  })

  it('says what changed since it was judged', () => {
    const stale = { ...result, stale: true, status: 'matched', reason: 'seen' } as const
    expect(values(stale)[1]).toBe('The record or its item changed since it was judged. seen')
    const item = { ...stale, qid: 'Q1', reason: null }
    expect(values({ ...item, itemState: 'merged', mergedInto: 'Q2' })[1]).toBe(
      'Q1, which was judged, has become part of Q2.',
    )
    expect(values({ ...item, itemState: 'missing' })[1]).toBe(
      'Q1, which was judged, is no longer there.',
    )
  })

  it('has no key and no address where these are not known', () => {
    const unknown = { ...result, subjectId: null, matchHash: null }
    expect(values(unknown).at(-1)).toBeNull()
    expect(reviewExport('match_', null).values(result)).toContain('')
  })
})

it('the columns are found again, with any prefix and among any others', () => {
  for (const prefix of ['match_', 'new_']) {
    const columns = reviewColumns(prefix)
    expect(findReviewColumns(['id', 'key', ...reviewColumnNames(columns), 'x'])).toEqual(columns)
  }
  expect(findReviewColumns(['id', 'verdict', 'qid', 'match_hash'])).toBeUndefined()
})
