/** What a worker that answers `/metrics` looks at, beside what it counts as it works. */
import { statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { domainKey } from '../../core/domain-key.ts'
import { boundedLabel } from '../../core/metrics/bounded-label.ts'
import { standingMetrics as metrics } from '../../core/metrics/standing-metrics.ts'
import { type Db, poolUse } from '../../db/connect.ts'
import { type DomainLimit, listDomainLimits } from '../../db/domain-limits.repo.ts'
import { queueDepths } from '../../db/queue-depths.repo.ts'
import {
  databaseBytes,
  jobStandings,
  runMarks,
  servicesInUse,
} from '../../db/work-standing.repo.ts'
import { domainReadings, MOST_DOMAINS } from './domain-readings.ts'
import { queueReadings } from './queue-readings.ts'
import type { Reading } from './gauge-board.ts'
import { createRunSilence } from './run-silence.ts'
import type { StandingLook } from './watch-standing.ts'

/** More domains than that are not looked at: the ones asked last come first. */
const MOST_LIMITS = 1_000

export interface StandingSources {
  readonly db: Db
  readonly home: string
  /** file:///… or s3://… */
  readonly storeUri: string
  /** Service name → address. */
  readonly serviceAddresses: Readonly<Record<string, string>>
  /** Whether the operator's file of limits names the domain. */
  readonly isInLimitsFile: (domain: string) => boolean
}

export function standingLooks(from: StandingSources): readonly StandingLook[] {
  const { db } = from
  const silence = createRunSilence(() => performance.now())
  // Who has a label keeps it: one that is pushed out and comes back would look mended in between.
  const labelled = new Set<string>()
  const queueLabel = boundedLabel()
  return [
    { name: 'pool', read: () => Promise.resolve(poolReadings(db)) },
    {
      name: 'postgres',
      read: () => postgresReadings(db),
      whenFailed: [{ metric: metrics.postgresUp, value: 0 }],
    },
    { name: 'queues', read: async () => queueReadings(await queueDepths(db), queueLabel) },
    { name: 'jobs', read: () => jobReadings(db) },
    {
      name: 'runs',
      async read() {
        const marks = await runMarks(db)
        const seconds = silence(marks)
        return (['match', 'extract'] as const).flatMap((job) => {
          const left = marks.filter((mark) => mark.job === job).map((mark) => mark.left)
          const labels = { work: job }
          return [
            { metric: metrics.depth, value: left.reduce((sum, one) => sum + one, 0), labels },
            { metric: metrics.silence, value: Math.round(seconds.get(job) ?? 0), labels },
          ]
        })
      },
    },
    {
      name: 'limiters',
      async read() {
        const [limits, services] = [
          await listDomainLimits(db, MOST_LIMITS),
          await servicesInUse(db),
        ]
        const asked = new Set(
          services.flatMap((one) => domainOf(from.serviceAddresses[one] ?? one)),
        )
        const isConfigured = ({ domain, policy }: DomainLimit) => {
          if (labelled.has(domain)) return true
          if (labelled.size === MOST_DOMAINS) return false
          const isIt = policy !== null || asked.has(domain) || from.isInLimitsFile(domain)
          if (isIt) labelled.add(domain)
          return isIt
        }
        return domainReadings(limits, isConfigured)
      },
    },
    { name: 'disks', read: () => diskReadings(from) },
  ]
}

function poolReadings(db: Db): readonly Reading[] {
  const { busy, free, waiting } = poolUse(db)
  return [
    { metric: metrics.pool, value: busy, labels: { state: 'busy' } },
    { metric: metrics.pool, value: free, labels: { state: 'free' } },
    { metric: metrics.poolWaiting, value: waiting },
  ]
}

async function postgresReadings(db: Db): Promise<readonly Reading[]> {
  const bytes = await databaseBytes(db)
  return [
    { metric: metrics.postgresUp, value: 1 },
    { metric: metrics.databaseSize, value: bytes },
  ]
}

async function jobReadings(db: Db): Promise<readonly Reading[]> {
  const standings = await jobStandings(db)
  return standings.flatMap(({ job, going, paused, deadLetters }) => [
    { metric: metrics.openRuns, value: going, labels: { work: job, state: 'going' } },
    { metric: metrics.openRuns, value: paused, labels: { work: job, state: 'paused' } },
    { metric: metrics.deadLetters, value: deadLetters, labels: { work: job } },
  ])
}

async function diskReadings({ home, storeUri }: StandingSources): Promise<readonly Reading[]> {
  const places = [
    ['home', home],
    ...(storeUri.startsWith('file:') ? [['store', fileURLToPath(storeUri)] as const] : []),
  ] as const
  const readings = await Promise.all(
    places.map(async ([place, path]) => {
      // The store's folder is made with its first file.
      const disk = await statfs(path).catch(() => statfs(home))
      const labels = { place }
      return [
        { metric: metrics.diskFree, value: disk.bavail * disk.bsize, labels },
        { metric: metrics.diskSize, value: disk.blocks * disk.bsize, labels },
      ]
    }),
  )
  return readings.flat()
}

function domainOf(address: string): readonly string[] {
  try {
    return address.includes('/') ? [domainKey(address)] : []
  } catch {
    return [] // a name that this worker does not know
  }
}
