/** docs/metrics.md, made of the descriptions of the metrics. */
import { downloadMetrics } from './download-metrics.ts'
import type { Metric } from './metric.ts'
import { sdkMetrics } from './sdk-metrics.ts'
import { standingMetrics } from './standing-metrics.ts'
import { workMetrics } from './work-metrics.ts'

/** Every metric of ours. */
export const ownMetrics: readonly Metric[] = [
  ...workMetrics,
  ...Object.values(standingMetrics),
  ...downloadMetrics,
]

const sections: readonly (readonly [string, string, readonly Metric[]])[] = [
  ['Matches and extractions', 'Counted by each worker as it works.', workMetrics],
  [
    'How things stand',
    'Looked at by each worker every 15 seconds; less often where looking takes more than 5 % of the time. Configured domains are those with a limit of yours, of services of projects, and of sources, at most 50; all the others together are `other`.',
    Object.values(standingMetrics),
  ],
  [
    'Downloads',
    'Counted by each worker; the names are those of the source document.',
    downloadMetrics,
  ],
  [
    'Temporal’s own',
    'The SDK tells many more under `temporal_…` ([list](https://docs.temporal.io/references/sdk-metrics)); our dashboards and alerts use these.',
    sdkMetrics,
  ],
]

const INTRODUCTION = `# Metrics

<!-- Made by scripts/docs.mjs from src/core/metrics; a check compares the two. -->

\`worker --metrics 127.0.0.1:9464\`, or \`RECORD_LINKER_METRICS\`: the worker answers \`/metrics\` for Prometheus there, each worker at
an address of its own. Labels are words of short lists: no address, no path, no name of a record. Dashboards and alerts
made of them: [deploy](../deploy), [operations.md](operations.md#watching).

**own**: of one worker; add them up. **all**: of the whole installation, told by every worker alike; take the highest
(\`max without (instance)\`).
`

/** @returns Markdown */
export function metricsPage(): string {
  const parts = sections.map(([title, about, metrics]) =>
    [`## ${title}`, '', about, '', ...metrics.flatMap(entryOf)].join('\n').trimEnd(),
  )
  return `${[INTRODUCTION.trimEnd(), ...parts].join('\n\n')}\n`
}

function entryOf({ name, kind, unit, labels, text, scope }: Metric): readonly string[] {
  const whose = scope === 'own' ? 'own' : 'all'
  return [
    `- **\`${name}\`** (${kind}, ${unit}, ${whose}): ${text}.`,
    ...Object.entries(labels).map(([label, values]) => `  - \`${label}\`: ${values}`),
  ]
}
