/** How many records one core scores and decides, and how that compares with a plain loop over the comparers. */
import { type AskedRecord, groupAlike } from '../../src/core/matching/judge-alike.ts'
import { judgeSubject } from '../../src/core/matching/judge-subject.ts'
import { noPast } from '../../src/core/matching/record-past.ts'
import { nameForms } from '../../src/core/names/normalize-name.ts'
import * as similarity from '../../src/core/names/similarity.ts'
import { madeCandidates, madeCells, type MadeKind, madeSettings } from './made-records.ts'

/** So many are made, then judged: making them is not measured, and they are not all in memory. */
const AT_ONCE = 1_000
/** As a run does. */
const PAGE_SIZE = 500
/** Of ten records six ask something new: 60,000 lookups of 100,000 entries. */
const LOOKUPS_PER_TEN = 6

/** What is measured: of the sources, or as it is compiled for users. */
export interface JudgingCode {
  readonly judgeSubject: typeof judgeSubject
  readonly groupAlike: typeof groupAlike
  readonly nameForms: typeof nameForms
  readonly similarity: Pick<
    typeof similarity,
    'jaroWinkler' | 'levenshteinRatio' | 'tokenSortRatio'
  >
}

const sourceCode: JudgingCode = { judgeSubject, groupAlike, nameForms, similarity }

/** Per second of processor time. */
export interface Speeds {
  /** Records, a page at a time as a run decides them: those that read alike are judged once. */
  readonly judged: number
  /** Records of which no two are alike. */
  readonly unlike: number
  /** All records, each name of a candidate only compared as a text in three ways. */
  readonly compared: number
}

export function measureSpeeds(
  kind: MadeKind,
  records: number,
  code: JudgingCode = sourceCode,
): Speeds {
  const settings = madeSettings(kind)
  const seconds = { judged: 0, compared: 0 }
  let groups = 0
  for (let from = 0; from < records; from += AT_ONCE) {
    const chunk = madeRecords(kind, from, Math.min(records, from + AT_ONCE))
    seconds.judged += cpuSeconds(() => {
      for (let page = 0; page < chunk.length; page += PAGE_SIZE) {
        for (const { first } of code.groupAlike(chunk.slice(page, page + PAGE_SIZE), settings)) {
          code.judgeSubject(first, settings)
          groups += 1
        }
      }
    })
    seconds.compared += cpuSeconds(() => {
      for (const record of chunk) compareNames(record, code)
    })
  }
  return {
    judged: records / seconds.judged,
    unlike: groups / seconds.judged,
    compared: records / seconds.compared,
  }
}

function madeRecords(kind: MadeKind, from: number, to: number): readonly AskedRecord[] {
  return Array.from({ length: to - from }, (_, index): AskedRecord => {
    const subject = subjectOf(from + index)
    const list = madeCandidates(kind, subject)
    return {
      cells: madeCells(kind, subject),
      past: noPast,
      lookupIds: [subject],
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
function compareNames(
  { cells, answers }: AskedRecord,
  { nameForms: formsOf, similarity: alike }: JudgingCode,
): number {
  const ours = formsOf(cells['name'] ?? '')
  let best = 0
  for (const { list } of answers) {
    for (const name of list?.candidates.flatMap(({ names }) => names) ?? []) {
      const theirs = formsOf(name)
      const words = alike.tokenSortRatio(ours.tokens, theirs.tokens)
      best = Math.max(
        best,
        words,
        alike.levenshteinRatio(ours.c, theirs.c),
        alike.jaroWinkler(ours.c, theirs.c),
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
