import type { EntryResult } from '../../src/db/results.repo.ts'

/** A record matched automatically, with what differs. */
export function entryResult(changes: Partial<EntryResult> = {}): EntryResult {
  return {
    externalId: '1',
    source: { id: '1', name: 'A;B' },
    raw: null,
    absentSince: null,
    qid: 'Q42',
    label: 'Say "hi"',
    description: null,
    status: 'matched',
    judged: false,
    stale: false,
    itemState: null,
    mergedInto: null,
    by: 'record-linker',
    at: new Date('2026-11-27T10:00:00Z'),
    score: 87.5,
    margin: 12,
    runnerUp: null,
    rule: 'score-and-lead',
    reason: 'clear lead',
    errorCode: null,
    errorMessage: null,
    held: null,
    ...changes,
  }
}
