/** The figures of a walk along the whole path, as measures with their goals. */
import type { Measure } from '../limiter/stories/story.ts'
import { median } from '../median.ts'
import type { PlayedPart } from '../origin/report.ts'
import { type GroupName, groupNames, type Sample } from './run-meter.ts'
import { growth, tenthFigures, worstDeviation } from './tenths.ts'
import type { Span, WholePath } from './whole-path.ts'

const MOST_MEMORY_MB = 1_000
/** Of the memory of the worker, from the first third of the run to the last, %. */
const MOST_GROWTH = 15
const MOST_EVENTS = 10_000
const MOST_EVENT_BYTES = 8_192
const MOST_DEVIATION = 20
const MOST_LOOK_S = 1
/** Short runs stay below it: they begin with small tasks. */
const LEAST_PER_SECOND = 1_500
/** Those that take longest in sum. */
const STATEMENTS_SHOWN = 12
const MB = 2 ** 20

const groupTexts: Readonly<Record<GroupName, string>> = {
  worker: 'worker',
  postgres: 'PostgreSQL',
  temporal: 'Temporal',
  command: 'command line',
  service: 'the service',
}

export function pathReport(path: WholePath): readonly PlayedPart[] {
  const { records, tried } = path
  const matched = records - (tried?.records ?? 0)
  const planned = plannedSpan(path)
  const decided = { fromMs: planned.untilMs, untilMs: path.tenths.at(-1)?.untilMs ?? NaN }
  return [
    part('import', [
      ...spanMeasures(path, path.import, records),
      {
        name: 'most memory of the command',
        value: path.importRssMb,
        unit: 'MB',
        goal: { atMost: MOST_MEMORY_MB },
      },
    ]),
    ...(tried === undefined ? [] : [part('try', spanMeasures(path, tried, tried.records))]),
    part('plan', [...spanMeasures(path, planned, matched), ...planMeasures(path)]),
    part('ask and decide', [
      ...spanMeasures(path, decided, matched),
      { name: 'requests', value: path.batches, unit: '' },
      ...workerMeasures(path, decided),
    ]),
    part('tenths', tenthMeasures(path)),
    part('export', [
      ...spanMeasures(path, path.export, records),
      {
        name: 'most memory of the command',
        value: path.exportRssMb,
        unit: 'MB',
        goal: { atMost: MOST_MEMORY_MB },
      },
    ]),
    part('whole', [
      { name: 'records completed', value: path.completed, unit: '', goal: exactly(records) },
      { name: 'rows exported', value: path.exportedRows, unit: '', goal: exactly(records) },
      { name: 'questions asked', value: path.asked, unit: '', goal: exactly(path.questions) },
      { name: 'from start-match to its report', value: seconds(path.match), unit: 's' },
      {
        name: 'the same, a second',
        value: matched / seconds(path.match),
        unit: 'records/s',
        goal: { atLeast: LEAST_PER_SECOND },
      },
      ...historyMeasures(path),
    ]),
    part('afterwards', [
      look('a look at the progress, median', median(path.looks.progressS)),
      {
        name: 'a look at the progress, slowest',
        value: Math.max(...path.looks.progressS),
        unit: 's',
      },
      look('a status, median', median(path.looks.statusS)),
      { name: 'a status, slowest', value: Math.max(...path.looks.statusS), unit: 's' },
      { name: 'a second start, with nothing to do', value: seconds(path.secondStart), unit: 's' },
      { name: 'the same file once more', value: seconds(path.secondImport), unit: 's' },
    ]),
    part('disk', diskMeasures(path)),
    part('statements', statementMeasures(path)),
  ]
}

const titles = {
  import: 'import',
  try: 'a try first, of 2 %',
  plan: 'plan',
  'ask and decide': 'ask and decide',
  tenths: 'tenths of the run',
  export: 'export',
  whole: 'the whole',
  afterwards: 'looks and repetitions',
  disk: 'on the disk, after it',
  statements: 'time in PostgreSQL',
} as const

function part(name: keyof typeof titles, measures: readonly Measure[]): PlayedPart {
  return { name, title: titles[name], measures }
}

function exactly(value: number): NonNullable<Measure['goal']> {
  return { atLeast: value, atMost: value }
}

function look(name: string, value: number): Measure {
  return { name, value, unit: 's', goal: { atMost: MOST_LOOK_S } }
}

function seconds({ fromMs, untilMs }: Span): number {
  return (untilMs - fromMs) / 1000
}

/** From the command to the end of the deal. */
function plannedSpan({ match, activities }: WholePath): Span {
  const dealt = activities.findLast(({ type }) => type === 'dealTasks')
  return { fromMs: match.fromMs, untilMs: dealt?.endedMs ?? NaN }
}

function planMeasures({ activities }: WholePath): readonly Measure[] {
  return activities.map(({ type, scheduledMs, endedMs }) => ({
    name: type,
    value: (endedMs - scheduledMs) / 1000,
    unit: 's',
  }))
}

/** How long it took and who used how much CPU meanwhile. */
function spanMeasures({ samples }: WholePath, span: Span, records: number): readonly Measure[] {
  const [first, last] = [at(samples, span.fromMs), at(samples, span.untilMs)]
  const used = (name: GroupName) => last.use[name].cpuS - first.use[name].cpuS
  const ours = groupNames.reduce((sum, name) => sum + used(name), 0)
  const others = last.machineS - first.machineS - ours
  return [
    { name: 'time', value: seconds(span), unit: 's' },
    { name: 'speed', value: records / seconds(span), unit: 'records/s' },
    ...groupNames
      .filter((name) => used(name) >= 1)
      .map((name) => ({ name: `CPU time of ${groupTexts[name]}`, value: used(name), unit: 's' })),
    { name: 'CPU time of whoever else is on the machine', value: Math.max(0, others), unit: 's' },
  ]
}

/** The look that is nearest. */
function at(samples: readonly Sample[], atMs: number): Sample {
  const [nearest] = samples.toSorted((a, b) => Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs))
  if (nearest === undefined) throw new Error('expected at least one look at the processes')
  return nearest
}

function workerMeasures({ samples }: WholePath, { fromMs, untilMs }: Span): readonly Measure[] {
  const rss = samples
    .filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
    .map(({ use }) => use.worker.rssMb)
  return [
    {
      name: 'most memory of the worker',
      value: Math.max(...rss),
      unit: 'MB',
      goal: { atMost: MOST_MEMORY_MB },
    },
  ]
}

function tenthMeasures({ tenths, samples, marks }: WholePath): readonly Measure[] {
  const figures = tenthFigures(tenths, samples, marks)
  const row = (name: string, unit: string, of: (one: (typeof figures)[number]) => number) =>
    figures.map((one, index) => ({ name: `${name}, tenth ${index + 1}`, value: of(one), unit }))
  return [
    ...row('time of a record', 'µs', ({ wallUs }) => wallUs),
    {
      name: 'time of a record, farthest from the mean',
      value: worstDeviation(figures.map(({ wallUs }) => wallUs)),
      unit: '%',
      goal: { atMost: MOST_DEVIATION },
    },
    ...row('the same work, always', 'ms', (one) => one.yardstickMs),
    ...row('CPU time of a record', 'µs', ({ cpuUs }) => cpuUs),
    {
      name: 'CPU time of a record, farthest from the mean',
      value: worstDeviation(figures.map(({ cpuUs }) => cpuUs)),
      unit: '%',
    },
    ...row('memory of the worker', 'MB', ({ rssMb }) => rssMb),
    {
      name: 'memory of the worker, growth from the first third to the last',
      value: growth(figures.map(({ rssMb }) => rssMb)),
      unit: '%',
      goal: { atMost: MOST_GROWTH },
    },
  ]
}

function historyMeasures({ histories, largestEventBytes }: WholePath): readonly Measure[] {
  return [
    { name: 'workflows', value: histories.workflows, unit: '' },
    { name: 'events of all', value: histories.events, unit: '' },
    {
      name: `largest history (${histories.largest})`,
      value: histories.most,
      unit: 'events',
      goal: { atMost: MOST_EVENTS },
    },
    {
      name: 'largest event of the run',
      value: largestEventBytes,
      unit: 'bytes',
      goal: { atMost: MOST_EVENT_BYTES },
    },
  ]
}

function diskMeasures(path: WholePath): readonly Measure[] {
  const { records, csvBytes, databaseBytes, temporalBytes, tables } = path
  return [
    { name: 'the file', value: csvBytes / MB, unit: 'MB' },
    { name: 'PostgreSQL', value: databaseBytes / MB, unit: 'MB' },
    { name: 'PostgreSQL, a record', value: databaseBytes / records, unit: 'bytes' },
    ...tables.map(({ name, rows, bytes, indexBytes }) => ({
      name: `${name}: ${rows} rows, ${Math.round(indexBytes / MB)} MB of it indexes`,
      value: bytes / MB,
      unit: 'MB',
    })),
    { name: 'Temporal', value: temporalBytes / MB, unit: 'MB' },
  ]
}

function statementMeasures({ statements }: WholePath): readonly Measure[] {
  const all = statements.reduce((sum, { totalS }) => sum + totalS, 0)
  return [
    { name: 'all statements', value: all, unit: 's' },
    ...statements.slice(0, STATEMENTS_SHOWN).map(({ label, calls, totalS, longestS }) => ({
      name: `${label}: ${calls} times, longest ${longestS.toFixed(1)} s`,
      value: totalS,
      unit: 's',
    })),
  ]
}
