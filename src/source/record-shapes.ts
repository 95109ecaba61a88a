/**
 * What the records are, in the fields that Looker's API 4.0 has. Nobody in them exists, and their addresses are of
 * example.org. A record of one revision is always the same, so that only what changed looks changed.
 */
import { type SeededChoices, seededChoices } from './seeded-choices.ts'
import type { SourceKind, SourceSize } from './source-size.ts'

export type SourceRecord = Readonly<Record<string, unknown>>

export interface RecordKey {
  readonly kind: SourceKind
  /** From 1, never given twice. */
  readonly number: number
  /** The day on which it last changed, from 1. */
  readonly revision: number
}

/** Makes records that refer to others of the size. */
export interface RecordMaker {
  readonly seed: number
  readonly size: SourceSize
}

const FIRST = 'Ada Bo Chen Dara Eun Femi Goran Hana Ilse Jonas Kaya Lior Mina Nils Oona'.split(' ')
const LAST = 'Abara Berg Castel Dunne Ekholm Faro Grau Hollis Ivanek Jura Kessel Lund'.split(' ')
const SUBJECT = 'Sales Orders Returns Stock Support Churn Traffic Payments Hiring Energy'.split(' ')
const VIEW = ['overview', 'by region', 'by week', 'against plan', 'of new customers', 'in detail']
const TEAM = 'Analysts Editors Viewers Developers Planners Buyers Auditors Partners'.split(' ')
const CHART = ['looker_line', 'looker_column', 'looker_grid', 'single_value', 'looker_pie']
const HOUR_MS = 3_600_000
const FIRST_MOMENT_MS = Date.UTC(2020, 0, 1)

/** A record as lists have it. */
export function recordOf(maker: RecordMaker, key: RecordKey): SourceRecord {
  const choices = choicesFor(maker, key, 'list')
  return makers[key.kind](maker, key, choices)
}

/** The id: a number as text, of LookML dashboards `model::name`, of models their name. */
export function idOf({ kind, number }: Pick<RecordKey, 'kind' | 'number'>): string {
  if (kind === 'models') return `model_${number}`
  // Every tenth dashboard is of LookML.
  return kind === 'dashboards' && number % 10 === 0
    ? `model_1::dashboard_${number}`
    : String(number)
}

/** What only the details of a dashboard have: elements, filters, layouts. */
export function dashboardDetails(maker: RecordMaker, key: RecordKey): SourceRecord {
  const choices = choicesFor(maker, key, 'details')
  const id = idOf(key)
  const elements = Array.from({ length: 1 + choices.below(5) }, (_, index) => ({
    id: String(key.number * 10 + index),
    dashboard_id: id,
    title: `${choices.pick(SUBJECT)} ${choices.pick(VIEW)}`,
    type: 'vis',
    query: { model: idOf(within(maker, 'models', choices)), view: choices.pick(SUBJECT) },
    vis_config: { type: choices.pick(CHART) },
  }))
  return {
    dashboard_elements: elements,
    dashboard_filters: [{ id: String(key.number), name: 'Date', default_value: '90 days' }],
    dashboard_layouts: [{ id: String(key.number), type: 'newspaper', active: true }],
    refresh_interval: choices.pick([null, '1 hour', '1 day']),
  }
}

const makers: Readonly<
  Record<SourceKind, (maker: RecordMaker, key: RecordKey, choices: SeededChoices) => SourceRecord>
> = {
  users(maker, key, choices) {
    const first = choices.pick(FIRST)
    const last = choices.pick(LAST)
    return {
      id: idOf(key),
      first_name: first,
      last_name: last,
      display_name: `${first} ${last}`,
      email: `${first}.${last}.${key.number}@example.org`.toLowerCase(),
      is_disabled: choices.fraction() < 0.1,
      group_ids: [idOf(within(maker, 'groups', choices))],
      created_at: momentOf(key),
    }
  },
  groups: (_, key, choices) => ({
    id: idOf(key),
    name: `${choices.pick(SUBJECT)} ${choices.pick(TEAM)} ${key.number}`,
    user_count: choices.below(40),
    externally_managed: choices.fraction() < 0.3,
  }),
  folders: (_, key, choices) => ({
    id: idOf(key),
    name: `${choices.pick(SUBJECT)} ${key.number}`,
    // The first is the root.
    parent_id: key.number === 1 ? null : String(1 + choices.below(key.number - 1)),
    child_count: choices.below(5),
    is_personal: choices.fraction() < 0.4,
  }),
  looks: (maker, key, choices) => ({
    id: idOf(key),
    title: `${choices.pick(SUBJECT)} ${choices.pick(VIEW)}`,
    user_id: idOf(within(maker, 'users', choices)),
    folder_id: idOf(within(maker, 'folders', choices)),
    view_count: choices.below(2_000),
    created_at: momentOf(key),
  }),
  dashboards: (maker, key, choices) => ({
    id: idOf(key),
    title: `${choices.pick(SUBJECT)} ${choices.pick(VIEW)}`,
    description: choices.pick([null, 'Checked each morning.', 'For the monthly meeting.']),
    user_id: idOf(within(maker, 'users', choices)),
    folder: { id: idOf(within(maker, 'folders', choices)) },
    readonly: idOf(key).includes('::'),
  }),
  models: (_, key, choices) => ({
    name: idOf(key),
    label: `${choices.pick(SUBJECT)} ${key.number}`,
    project_name: 'project_1',
    has_content: true,
    explores: Array.from({ length: 1 + choices.below(4) }, (__, index) => ({
      name: `explore_${index + 1}`,
      label: choices.pick(SUBJECT),
    })),
  }),
}

function choicesFor({ seed }: RecordMaker, key: RecordKey, use: string): SeededChoices {
  return seededChoices(seed, `${use} ${key.kind} ${key.number} ${key.revision}`)
}

/** One of those that were there on the first day. */
function within({ size }: RecordMaker, kind: SourceKind, choices: SeededChoices) {
  return { kind, number: 1 + choices.below(Math.max(1, size[kind])) }
}

function momentOf({ number }: RecordKey): string {
  return new Date(FIRST_MOMENT_MS + number * HOUR_MS).toISOString()
}
