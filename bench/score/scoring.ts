/** How many records one core scores and decides, and how that compares with a plain loop over the comparers. */
import { judgeSubject, type AnsweredRecord } from '../../src/core/matching/judge-subject.ts'
import { noPast } from '../../src/core/matching/record-past.ts'
import { nameForms } from '../../src/core/names/normalize-name.ts'
import { jaroWinkler, levenshteinRatio, tokenSortRatio } from '../../src/core/names/similarity.ts'
import { madeCandidates, madeCells, type MadeKind, madeSettings } from './made-records.ts'

/** So many are made, then judged: making them is not measured, and they are not all in memory. */
const AT_ONCE = 1_000
/** Of ten records six ask something new: 60,000 lookups of 100,000 entries. */
const LOOKUPS_PER_TEN = 6

export interface Speeds {
  /** Records per second of processor time: scored and decided. */
  readonly judged: number
  /** The same records, each name of a candidate only compared as a text in three ways. */
  readonly compared: number
}

export function measureSpeeds(kind: MadeKind, records: number): Speeds {
  const settings = madeSettings(kind)
  const seconds = { judged: 0, compared: 0 }
  for (let from = 0; from < records; from += AT_ONCE) {
    const chunk = madeRecords(kind, from, Math.min(records, from + AT_ONCE))
    seconds.judged += cpuSeconds(() => {
      for (const record of chunk) judgeSubject(record, settings)
    })
    seconds.compared += cpuSeconds(() => {
      for (const record of chunk) compareNames(record)
    })
  }
  return { judged: records / seconds.judged, compared: records / seconds.compared }
}

function madeRecords(kind: MadeKind, from: number, to: number): readonly AnsweredRecord[] {
  return Array.from({ length: to - from }, (_, index): AnsweredRecord => {
    const subject = subjectOf(from + index)
    const list = madeCandidates(kind, subject)
    return {
      cells: madeCells(kind, subject),
      past: noPast,
      answers: [{ position: 0, status: 'answered', list, errorCode: null, errorMessage: null }],
    }
  })
}

/** Which subject an entry is about: four of ten entries are about one that another entry is about as well. */
export function subjectOf(entry: number): number {
  const [tens, unit] = [Math.floor(entry / 10), entry % 10]
  return tens * LOOKUPS_PER_TEN + (unit % LOOKUPS_PER_TEN)
}

/** The plain loop: every name of every candidate against the record's. */
function compareNames({ cells, answers }: AnsweredRecord): number {
  const ours = nameForms(cells['name'] ?? '')
  let best = 0
  for (const { list } of answers) {
    for (const name of list?.candidates.flatMap(({ names }) => names) ?? []) {
      const theirs = nameForms(name)
      const words = tokenSortRatio(ours.tokens, theirs.tokens)
      best = Math.max(
        best,
        words,
        levenshteinRatio(ours.c, theirs.c),
        jaroWinkler(ours.c, theirs.c),
      )
    }
  }
  return best
}

function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
