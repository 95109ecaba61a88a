import { trimBlank } from '../../core/matching/mapped-record.ts'
import type { ServiceFacts } from '../../db/services.repo.ts'
import type { IncomingJudgment } from '../../db/judgments.repo.ts'
import { itemId } from '../../core/matching/item-id.ts'
import { idInUrl } from './item-url.ts'

/** What a person put into the column `decision`. */
export type ReviewDecision =
  | { readonly kind: 'undecided' }
  | {
      readonly kind: 'decided'
      readonly verdict: IncomingJudgment['verdict']
      readonly qid: string | null
      /** It is about the candidates that were shown, so it means nothing when they are others now. */
      readonly aboutCandidates: boolean
    }
  | { readonly kind: 'fault'; readonly reason: string }

export interface DecisionContext {
  /** Of the project: decides what an item id looks like. */
  readonly service: string
  readonly facts: ServiceFacts | null
  /** Ids of the candidates that the file shows. */
  readonly candidateIds: readonly string[]
}

const WORDS: Readonly<Record<string, IncomingJudgment['verdict']>> = {
  none: 'none_fits',
  'none fits': 'none_fits',
  'not in wikidata': 'not_in_wikidata',
  'not applicable': 'not_applicable',
  undo: 'undo',
}

/** Spreadsheets write a whole number with decimals when its column has a number format. */
const NUMBER = /^(\d+)(?:[.,]0+)?$/
const MOST_SHOWN_CHARACTERS = 60

/** Reads one cell: a candidate's number, an item's id or address, or one of the words above, in any case. */
export function readDecision(cell: string, context: DecisionContext): ReviewDecision {
  const text = trimBlank(cell)
  if (text === '') return { kind: 'undecided' }
  const verdict = WORDS[text.toLowerCase().replace(/[\s_-]+/g, ' ')]
  if (verdict !== undefined) {
    return { kind: 'decided', verdict, qid: null, aboutCandidates: verdict === 'none_fits' }
  }
  const number = Number(NUMBER.exec(text)?.[1] ?? 0)
  const numbered = context.candidateIds[number - 1]
  if (numbered !== undefined) {
    return { kind: 'decided', verdict: 'match', qid: numbered, aboutCandidates: true }
  }
  const qid = idOf(text, context)
  if (qid !== undefined) {
    return { kind: 'decided', verdict: 'match', qid, aboutCandidates: false }
  }
  return { kind: 'fault', reason: faultOf(text, context) }
}

function idOf(text: string, { service, facts, candidateIds }: DecisionContext): string | undefined {
  const named = idInUrl(text, facts)
  if (named !== undefined) return itemId(named, service)
  if (candidateIds.includes(text)) return text
  const id = itemId(text, service)
  // An id of one's own file can be anything but a word such as "yes", or a number meant for a candidate.
  return id !== undefined && /\d/.test(id) && !/^\d$/.test(id) && !id.includes('://')
    ? id
    : undefined
}

function faultOf(text: string, { candidateIds }: DecisionContext): string {
  const shown = text.length > MOST_SHOWN_CHARACTERS ? `${text.slice(0, 60)}…` : text
  const numbers =
    candidateIds.length === 0
      ? 'an item id (the record has no candidates)'
      : candidateIds.length === 1
        ? '1, an item id'
        : `1 to ${candidateIds.length}, an item id`
  return `decision is "${shown}", expected ${numbers} or its address, none, not in wikidata, not applicable, or nothing`
}
