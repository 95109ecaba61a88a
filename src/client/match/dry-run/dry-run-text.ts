import { counted } from '../../../core/counted.ts'
import { durationText } from '../../../core/work-rate.ts'
import { WIKIDATA_SERVICE } from '../../../core/wikidata/wikidata-service.ts'
import { rateText } from '../../limits/figures-text.ts'
import { tableText } from '../../output.ts'
import { dueText, nothingDueText } from '../due-text.ts'
import type { DryRunReport, DryRunService } from './dry-run-report.ts'
import type { RequestsOfKind, Span } from './planned-requests.ts'

const EXAMPLE_LENGTH = 40

/** For people, section by section. */
export function dryRunText(report: DryRunReport): string {
  const { openRun, due, only, questions } = report
  const isDue = questions.records > 0
  return [
    ...(openRun === null
      ? []
      : [`Run ${openRun} is going on; a start with equal options joins it.`]),
    isDue ? dueText(due) : nothingDueText({ id: report.project }, due, { only, rescore: false }),
    ...(isDue ? ['', ...planLines(report)] : []),
    ...(isDue ? report.services.flatMap(serviceLines) : []),
    '',
    'Nothing was sent, nothing was written.',
  ].join('\n')
}

function planLines(report: DryRunReport): readonly string[] {
  const { questions, requests, batchSize, rate, durationMs } = report
  const { records, recordsWithoutName, distinct, answered, toAsk, toRefresh, onlyIfUndecided } =
    questions
  const assumed = batchSize.isAssumed
    ? ', assumed until the service has said how many it takes'
    : ''
  const lines: readonly (readonly [string, string])[] = [
    ['records', `${records} would be taken`],
    ...(recordsWithoutName > 0
      ? [
          [
            '',
            `${counted(recordsWithoutName, 'of them has', 'of them have')} no name that can be asked for`,
          ] as const,
        ]
      : []),
    ['lookups', `${distinct} distinct: ${answered} already answered, ${toAsk} to be asked`],
    ...(toRefresh > 0
      ? [['', `${toRefresh} of these renew an answer that is too old`] as const]
      : []),
    ...(onlyIfUndecided > 0
      ? [
          [
            '',
            `${onlyIfUndecided} further names are asked only while their record is undecided`,
          ] as const,
        ]
      : []),
    [
      'requests',
      batchSize.questions === 1
        ? `${spanText(requests, String)}, one for each lookup`
        : `${spanText(requests, String)}, with up to ${batchSize.questions} lookups each${assumed}`,
    ],
    ...requests.byKind.flatMap((one) => kindLine(one) ?? []),
    ['duration', durationMs === null ? 'not known' : `about ${spanText(durationMs, lastingText)}`],
  ]
  return [
    ...lines.map(([name, text]) => `${name.padEnd(10)}${text}`),
    ...(rate === null ? [] : [`${''.padEnd(10)}${rateLine(rate)}`]),
  ]
}

/** @returns null for what the line above says already */
function kindLine(requests: RequestsOfKind): readonly [readonly [string, string]] | null {
  const text = KIND_TEXTS[requests.kind]
  return text === undefined ? null : [['', `${spanText(requests, String)} ${text}`]]
}

const KIND_TEXTS: Readonly<Partial<Record<RequestsOfKind['kind'], string>>> = {
  identifier: 'for what has an identifier',
  label: 'for labels that begin so',
  words: 'for words anywhere',
  items: 'for items, up to 50 in each: candidates, and names and classes of their values',
}

function rateLine({
  domain,
  pace,
  from,
  pausedBecause,
}: NonNullable<DryRunReport['rate']>): string {
  if (pausedBecause !== null) {
    return `${domain} is paused: ${pausedBecause}. Let it go on: ./record-linker limits resume ${domain}`
  }
  const rate = `${rateText(pace.ratePerSecond)} to ${domain}`
  const source = from === 'snapshot' ? 'its present rate' : 'where its policy begins'
  const wait = pace.waitMs > 0 ? `, after a wait of ${durationText(pace.waitMs)}` : ''
  return `at ${rate}, ${source}${wait}`
}

function serviceLines(service: DryRunService): readonly string[] {
  const { host, about, sent, kept, firstRequest } = service
  const place = host ?? `service "${service.service}", whose address only its worker knows`
  const self =
    about === null
      ? 'never asked yet'
      : [about.name, `API ${about.versions.join(', ')}`, about.serviceVersion ?? '']
          .filter(Boolean)
          .join(', ')
  return [
    '',
    `Sent to ${place} (${self}):`,
    tableText(
      ['column', 'sent as', 'examples'],
      sent.map(({ columns, as, onlyIfUndecided, examples }) => [
        columns.join(' + '),
        `${as}${onlyIfUndecided ? ', while undecided' : ''}`,
        examples.map((value) => JSON.stringify(shortened(value))).join('  ') || '(none)',
      ]),
    ),
    '',
    ...keptLines(kept),
    '',
    ...(firstRequest === null
      ? ['No request is needed.']
      : [
          service.service === WIKIDATA_SERVICE
            ? 'The first request, after one that asks whether it is there:'
            : `The first request, after one GET of ${firstRequest.url} for the manifest:`,
          `${firstRequest.method} ${firstRequest.url}`,
          ...Object.entries(firstRequest.headers).map(([name, value]) => `${name}: ${value}`),
          ...(firstRequest.body === ''
            ? []
            : ['', firstRequest.body, ...decodedLines(firstRequest.body)]),
          ...tokenLines(service),
        ]),
  ]
}

function keptLines(kept: DryRunService['kept']): readonly string[] {
  const of = (use: string) => kept.filter((one) => one.use === use).map(({ column }) => column)
  const line = (text: string, columns: readonly string[]) =>
    columns.length === 0 ? [] : [`${text}: ${columns.join(', ')}`]
  return [
    ...line('Compared on this machine only', of('compare')),
    ...line('Kept on this machine, not used', of('keep')),
    ...(kept.length === 0 ? ['No other column.'] : []),
  ]
}

/** Named, never shown. */
function tokenLines({ service, firstRequest }: DryRunService): readonly string[] {
  if (service !== WIKIDATA_SERVICE) return []
  return firstRequest?.headers['authorization'] === undefined
    ? ['', 'Without an access token; RECORD_LINKER_WIKIDATA_TOKEN is not set.']
    : ['', 'The access token is RECORD_LINKER_WIKIDATA_TOKEN; it goes to this host only.']
}

/** A form is hard to read as it is sent. */
function decodedLines(body: string): readonly string[] {
  const queries = new URLSearchParams(body).get('queries')
  return queries === null ? [] : ['', `queries, decoded: ${queries}`]
}

function spanText({ least, most }: Span, text: (value: number) => string): string {
  return least === most || text(least) === text(most)
    ? text(least)
    : `${text(least)} to ${text(most)}`
}

function lastingText(ms: number): string {
  return durationText(Math.max(1_000, ms))
}

function shortened(value: string): string {
  const signs = Array.from(value)
  return signs.length > EXAMPLE_LENGTH ? `${signs.slice(0, EXAMPLE_LENGTH).join('')}…` : value
}
