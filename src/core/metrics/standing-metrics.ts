/** How things stand, as a worker that answers `/metrics` looks at them every 15 seconds. */
import type { Metric } from './metric.ts'

const gauge = (metric: Omit<Metric, 'kind'>): Metric => ({ ...metric, kind: 'gauge' })
const domain = 'a configured domain, or other'

export const standingMetrics = {
  depth: gauge({
    name: 'recordlinker_queue_depth',
    unit: 'count',
    labels: { work: 'match (records), extract (pages)' },
    text: 'What open runs still have to do',
    scope: 'shared',
  }),
  downloadDepth: gauge({
    name: 'contentdownload_queue_depth',
    unit: 'count',
    labels: {
      queue: 'name of a queue, of the first 50 that anything waits in, or other',
      state: 'queued, in_progress',
    },
    text: 'Files that wait, or are on their way',
    scope: 'shared',
  }),
  deadLetters: gauge({
    name: 'recordlinker_dead_letters',
    unit: 'count',
    labels: { work: 'match (records), extract (pages of open runs), download (files)' },
    text: 'What has failed and waits for a person: `failures`, `extract errors`, `download stats`',
    scope: 'shared',
  }),
  openRuns: gauge({
    name: 'recordlinker_open_runs',
    unit: 'count',
    labels: { work: 'match, extract, download', state: 'going, paused' },
    text: 'Runs that are open, and queues that have a dispatcher',
    scope: 'shared',
  }),
  silence: gauge({
    name: 'recordlinker_run_silence_seconds',
    unit: 's',
    labels: { work: 'match, extract' },
    text: 'How long the quietest open run, not a paused one, has done nothing; as long as this worker has looked',
    scope: 'shared',
  }),
  rate: gauge({
    name: 'recordlinker_limiter_rate',
    unit: 'per second',
    labels: { domain },
    text: 'Requests per second that the limiter grants at present',
    scope: 'shared',
  }),
  inFlight: gauge({
    name: 'recordlinker_limiter_in_flight',
    unit: 'count',
    labels: { domain },
    text: 'Requests on their way, of all processes',
    scope: 'shared',
  }),
  waiting: gauge({
    name: 'recordlinker_limiter_waiting',
    unit: 'count',
    labels: { domain },
    text: 'Permits wanted by processes that have none',
    scope: 'shared',
  }),
  breakerOpen: gauge({
    name: 'recordlinker_limiter_breaker_open',
    unit: 'yes or no',
    labels: { domain },
    text: '1 while the circuit breaker is open: the domain fails, and is not asked; of `other`: how many',
    scope: 'shared',
  }),
  paused: gauge({
    name: 'recordlinker_limiter_paused',
    unit: 'yes or no',
    labels: { domain },
    text: '1 while a person has paused the domain; of `other`: how many',
    scope: 'shared',
  }),
  sent: gauge({
    name: 'recordlinker_limiter_requests',
    unit: 'count',
    labels: { domain },
    text: 'Requests since the limiter began to learn; falls with `limits reset`',
    scope: 'shared',
  }),
  refused: gauge({
    name: 'recordlinker_limiter_refusals',
    unit: 'count',
    labels: { domain },
    text: 'Of these, those that the server refused (429 and its like)',
    scope: 'shared',
  }),
  pool: gauge({
    name: 'recordlinker_db_connections',
    unit: 'count',
    labels: { state: 'busy, free' },
    text: 'Places of the pool of connections to Postgres',
    scope: 'own',
  }),
  poolWaiting: gauge({
    name: 'recordlinker_db_waiting',
    unit: 'count',
    labels: {},
    text: 'Callers in line for a connection',
    scope: 'own',
  }),
  postgresUp: gauge({
    name: 'recordlinker_postgres_up',
    unit: 'yes or no',
    labels: {},
    text: '1 when the last look at Postgres was answered',
    scope: 'own',
  }),
  databaseSize: gauge({
    name: 'recordlinker_database_size_bytes',
    unit: 'bytes',
    labels: {},
    text: 'What the database takes on disk',
    scope: 'shared',
  }),
  diskFree: gauge({
    name: 'recordlinker_disk_free_bytes',
    unit: 'bytes',
    labels: { place: 'home, store (files of downloads; not of S3)' },
    text: 'Free on the file system',
    scope: 'own',
  }),
  diskSize: gauge({
    name: 'recordlinker_disk_size_bytes',
    unit: 'bytes',
    labels: { place: 'home, store' },
    text: 'Size of the file system',
    scope: 'own',
  }),
} as const satisfies Readonly<Record<string, Metric>>
