import { counted } from '../../core/counted.ts'
import type { MappedRecord } from '../../core/matching/mapped-record.ts'
import type { LookupKind } from '../../core/matching/lookup-kind.ts'
import type { StoredJudgment, StoredQuestion } from '../../db/explained-entry.repo.ts'
import { oneLine } from '../output.ts'
import { candidateTable } from './candidate-table.ts'
import type { ExplainedDecision, Explanation } from './explain-entry.ts'

/**
 * The whole story of a record for people: its result, what was asked, what was compared, what people said.
 * @param columns candidates side by side
 */
export function explanationText(explanation: Explanation, columns: number): string {
  const { entry, project, record, questions, decision, judgments } = explanation
  return [
    oneLine(`Record ${entry} of project ${project}: ${resultText(explanation)}`),
    '',
    ...recordLines(record),
    ...section('Asked', questions.map(questionText)),
    ...section('Judged', judgments.map(judgmentText)),
    ...(decision === null ? [] : decisionLines(decision, columns)),
  ].join('\n')
}

function resultText({ status, qid, error, isAbsent, decision, judgments }: Explanation): string {
  const absent = isAbsent ? ' The last import did not have it.' : ''
  const judged = judgments.find(({ holds }) => holds)
  if (judged !== undefined) return `${status} ${qid ?? ''}`.trim() + ', as judged.' + absent
  switch (status) {
    case 'new':
      return 'new: no run has taken it up yet, so nothing is known.' + absent
    case 'queued':
      return 'queued: a run that is open, or broke off, has taken it up.' + absent
    case 'cancelled':
      return 'cancelled: its run was stopped before it was decided.' + absent
    case 'failed':
      return `failed: it could not be asked, which is not "no match". ${error?.code ?? ''}: ${error?.message ?? ''}${absent}`
    case 'matched':
      return `matched with ${qid ?? ''}. ${decision?.reason ?? ''}${absent}`
    default:
      return `${status.replace('_', ' ')}. ${decision?.reason ?? ''}${absent}`
  }
}

function recordLines({ names, types, properties }: MappedRecord): readonly string[] {
  const line = (what: string, values: readonly string[], more = '') =>
    oneLine(`  ${what.padEnd(12)}${values.join(' | ')}${more}`)
  return [
    line('name', names.slice(0, 1)),
    ...(names.length > 1 ? [line('also', names.slice(1))] : []),
    ...(types.length > 0 ? [line('type', types)] : []),
    ...properties.map(({ pid, values, use }) =>
      line(pid, values, use === 'keep' ? '  (kept, not compared)' : ''),
    ),
  ]
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => oneLine(`  ${line}`))]
}

function questionText(question: StoredQuestion): string {
  const { name, status, answeredAt, candidates, truncated, errorCode, errorMessage } = question
  const asked = `${KIND_TEXTS[question.kind](question)}${JSON.stringify(name)}`
  if (status === 'missing') return `${asked}: not asked`
  if (status === 'failed') return `${asked}: failed, ${errorCode ?? ''}: ${errorMessage ?? ''}`
  const when = answeredAt === null ? '' : `, ${answeredAt.toISOString()}`
  return `${asked}: ${counted(candidates, 'candidate')}${truncated ? ', the list was full' : ''}${when}`
}

const KIND_TEXTS: Readonly<Record<LookupKind, (question: StoredQuestion) => string>> = {
  batch: () => '',
  id: () => 'by id ',
  identifier: () => 'by identifier ',
  label: ({ language }) => `by label (${language ?? 'en'}) `,
  words: () => 'by words ',
}

function judgmentText({ verdict, qid, by, at, note, holds }: StoredJudgment): string {
  const what = qid === null ? verdict : `${verdict} ${qid}`
  const why = note === null ? '' : `: ${note}`
  return `${at.toISOString()} ${by}: ${what}${why}${holds ? '' : ' (no longer holds)'}`
}

function decisionLines(decision: ExplainedDecision, columns: number): readonly string[] {
  const { outcome, rule, run, decidedBy, decidedAt, thresholds, kind, weightsVersion, margin } =
    decision
  const { candidates, candidatesTotal, settingsRevision, outdatedBy, holds, truncated, gone } =
    decision
  const shown = candidates.slice(0, columns)
  const hidden = candidatesTotal - shown.length
  return [
    '',
    `Decided by ${decidedBy === null ? `run ${run ?? '(deleted)'}` : oneLine(decidedBy)}, ${decidedAt.toISOString()}${holds ? '' : ', no longer the result'}:`,
    oneLine(`  outcome     ${outcome}: ${decision.reason}`),
    `  rule        ${rule}`,
    ...(margin === null ? [] : [`  lead        ${margin}`]),
    `  thresholds  match ${thresholds.match}, review ${thresholds.review}, lead ${thresholds.lead} (${kind}, settings revision ${settingsRevision})`,
    `  weights     ${weightsVersion}`,
    ...(truncated ? ['  list        cut off among equal names'] : []),
    ...(gone.length > 0 ? [`  left out    ${gone.join(', ')}: deleted, or merged twice`] : []),
    ...(outdatedBy === null ? [] : [`  outdated    ${OUTDATED[outdatedBy]}`]),
    '',
    ...(shown.length === 0
      ? ['No candidate was found.']
      : [candidateTable(shown, decision.prior), '', WEIGHTS_NOTE]),
    ...(hidden > 0
      ? [
          `${hidden} more of ${candidatesTotal} candidates ${hidden === 1 ? 'is' : 'are'} not shown.`,
        ]
      : []),
  ]
}

const OUTDATED = {
  changed_cells: 'its cells changed since; the next start decides it again',
  changed_settings: 'the settings changed since; the next start or rescore decides it again',
} as const

const WEIGHTS_NOTE =
  'Weights in bits: +1 doubles the odds that it is the right one; percent: its part of all weights.'
