/** The dashboards for Grafana, which are made of a few words each: title, unit, questions. */
import { boardOf } from './grafana-board.mjs'

/** @typedef {import('./grafana-board.mjs').Panel} Panel */
/** @typedef {import('./grafana-board.mjs').Dashboard} Dashboard */

const RATE = '[$__rate_interval]'

/** @type {readonly Dashboard[]} */
const dashboards = [
  {
    name: 'overview',
    title: 'Record Linker: overview',
    panels: [
      {
        title: 'Open runs',
        isStat: true,
        ask: [['max by (work, state) (recordlinker_open_runs)', '{{work}} {{state}}']],
      },
      {
        title: 'Waiting',
        isStat: true,
        ask: [
          ['max by (work) (recordlinker_queue_depth)', '{{work}}'],
          ['sum(max by (queue, state) (contentdownload_queue_depth))', 'download'],
        ],
      },
      {
        title: 'Dead letters',
        isStat: true,
        ask: [['max by (work) (recordlinker_dead_letters)', '{{work}}']],
      },
      {
        title: 'Longest silence of an open run',
        isStat: true,
        unit: 's',
        ask: [['max by (work) (recordlinker_run_silence_seconds)', '{{work}}']],
      },
      {
        title: 'Records decided a second',
        ask: [[`sum by (outcome) (rate(recordlinker_records_total${RATE}))`, '{{outcome}}']],
      },
      {
        title: 'Share that ends failed',
        unit: 'percentunit',
        ask: [
          [
            `sum(rate(recordlinker_records_total{outcome="failed"}${RATE})) / sum(rate(recordlinker_records_total${RATE}))`,
            'records',
          ],
          [
            `(sum(rate(contentdownload_outcomes_total{outcome="error"}${RATE})) or vector(0)) / sum(rate(contentdownload_outcomes_total${RATE}))`,
            'files',
          ],
        ],
      },
      {
        title: 'Questions that stored answers serve',
        unit: 'percentunit',
        ask: [
          [
            'sum(recordlinker_lookups_total{answer="stored"}) / sum(recordlinker_lookups_total)',
            'of the plans of runs',
          ],
        ],
      },
      {
        title: 'Requests a second',
        ask: [[`sum by (outcome) (rate(recordlinker_requests_total${RATE}))`, '{{outcome}}']],
      },
      {
        title: 'Latency of requests',
        unit: 'ms',
        ask: ['0.5', '0.9', '0.99'].map((share) => [
          `histogram_quantile(${share}, sum by (le) (rate(recordlinker_request_latency_ms_bucket${RATE})))`,
          `p${Number(share) * 100}`,
        ]),
      },
      {
        title: 'Workers that poll',
        ask: [
          [
            'count by (task_queue) (sum by (instance, task_queue) (temporal_num_pollers) > 0)',
            '{{task_queue}}',
          ],
        ],
      },
      {
        title: 'Places for work in use',
        ask: [
          [
            'sum by (worker_type) (temporal_worker_task_slots_used{task_queue="record-linker"})',
            '{{worker_type}}',
          ],
        ],
      },
      {
        title: 'Connections to Postgres',
        ask: [
          ['sum by (state) (recordlinker_db_connections)', '{{state}}'],
          ['sum(recordlinker_db_waiting)', 'in line'],
        ],
      },
      {
        title: 'Disk',
        unit: 'bytes',
        ask: [
          ['min by (place) (recordlinker_disk_free_bytes)', 'free, {{place}}'],
          ['max(recordlinker_database_size_bytes)', 'database'],
        ],
      },
    ],
  },
  {
    name: 'limiter',
    title: 'Record Linker: limiter',
    labels: [['domain', 'recordlinker_limiter_rate']],
    panels: [
      ofDomains('Rate granted, requests a second', 'recordlinker_limiter_rate{domain=~"$domain"}'),
      ofDomains('On their way', 'recordlinker_limiter_in_flight{domain=~"$domain"}'),
      ofDomains('Permits waited for', 'recordlinker_limiter_waiting{domain=~"$domain"}'),
      ofDomains('Breaker open', 'recordlinker_limiter_breaker_open{domain=~"$domain"}'),
      ofDomains('Paused by a person', 'recordlinker_limiter_paused{domain=~"$domain"}'),
      ofDomains(
        'Requests a minute',
        'rate(recordlinker_limiter_requests{domain=~"$domain",domain!="other"}[5m]) * 60',
      ),
      ofDomains(
        'Refused a minute (429 and its like)',
        'rate(recordlinker_limiter_refusals{domain=~"$domain",domain!="other"}[5m]) * 60',
      ),
    ],
  },
  {
    name: 'resolver-drilldown',
    title: 'Record Linker: resolver drilldown',
    labels: [['resolver', 'contentdownload_attempts_total']],
    panels: [
      {
        title: 'Attempts a second, by verb',
        ask: [
          [
            `sum by (verb) (rate(contentdownload_attempts_total{resolver=~"$resolver"}${RATE}))`,
            '{{verb}}',
          ],
        ],
      },
      {
        title: 'Attempts a second, by status',
        ask: [
          [
            `sum by (status) (rate(contentdownload_attempts_total{resolver=~"$resolver"}${RATE}))`,
            '{{status}}',
          ],
        ],
      },
      {
        title: 'How files came out',
        ask: [
          [
            `sum by (outcome, reason) (rate(contentdownload_outcomes_total{resolver=~"$resolver"}${RATE}))`,
            '{{outcome}} {{reason}}',
          ],
        ],
      },
      {
        title: 'Latency, p90',
        unit: 'ms',
        ask: [
          [
            `histogram_quantile(0.9, sum by (le, resolver, verb) (rate(contentdownload_http_latency_ms_bucket{resolver=~"$resolver"}${RATE})))`,
            '{{resolver}} {{verb}}',
          ],
        ],
      },
      {
        title: 'Waiting for permits, p90',
        unit: 'ms',
        ask: [
          [
            `histogram_quantile(0.9, sum by (le, resolver) (rate(contentdownload_rate_limit_sleep_ms_bucket{resolver=~"$resolver"}${RATE})))`,
            '{{resolver}}',
          ],
        ],
      },
      {
        title: 'Bytes a second',
        unit: 'Bps',
        ask: [
          [
            `sum by (resolver, kind) (rate(contentdownload_bytes_total{resolver=~"$resolver"}${RATE}))`,
            '{{resolver}} {{kind}}',
          ],
        ],
      },
    ],
  },
  {
    name: 'extraction',
    title: 'Record Linker: extraction',
    labels: [['source', 'recordlinker_extract_pages_total']],
    panels: [
      {
        title: 'Pages a second',
        ask: [
          [
            `sum by (source, outcome) (rate(recordlinker_extract_pages_total{source=~"$source"}${RATE}))`,
            '{{source}} {{outcome}}',
          ],
        ],
      },
      {
        title: 'Items a second',
        ask: [
          [
            `sum by (source) (rate(recordlinker_extract_items_total{source=~"$source"}${RATE}))`,
            '{{source}}',
          ],
        ],
      },
      {
        title: 'Pages under way',
        ask: [['max(recordlinker_queue_depth{work="extract"})', 'pages']],
      },
      {
        title: 'Pages that failed, of open runs',
        ask: [['max(recordlinker_dead_letters{work="extract"})', 'pages']],
      },
      {
        title: 'Open runs',
        ask: [['max by (state) (recordlinker_open_runs{work="extract"})', '{{state}}']],
      },
    ],
  },
]

/**
 * @param {string} title
 * @param {string} expr
 * @returns {Panel}
 */
function ofDomains(title, expr) {
  return { title, ask: [[`max by (domain) (${expr})`, '{{domain}}']] }
}

/** @returns {readonly (readonly [string, string])[]} path → text */
export function dashboardFiles() {
  return dashboards.map((dashboard) => [
    `docs/dashboards/${dashboard.name}.json`,
    `${JSON.stringify(boardOf(dashboard), null, 2)}\n`,
  ])
}
