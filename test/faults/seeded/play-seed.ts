/** One seed: a match in a home of its own, its faults, and what they left behind. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { homePaths, makeHomeFolder, openHome } from '../../../src/client/stack/home.ts'
import { preparePostgresPlace } from '../../../src/client/stack/postgres-place.ts'
import { exportedTable, importBrands } from '../../support/brands.ts'
import { type Cli, createCli } from '../../support/cli.ts'
import { type Guardian, startGuardian } from '../../support/start-guardian.ts'
import { bundleWorkflows } from '../../support/test-servers.ts'
import { faultsLeft } from './after-faults.ts'
import { type KillableOrigin, startKillableOrigin } from './killable-origin.ts'
import { type MatchUser, startMatchUser } from './match-user.ts'
import type { FaultPlan } from './plan-faults.ts'
import { createSaboteur, type Saboteur } from './saboteur.ts'
import { mountSmallVolume, type SmallVolume } from './small-volume.ts'

export interface SeedOptions {
  readonly plan: FaultPlan
  readonly records: number
  /** The table of a match that nothing happens to; may be made with this stack, before anything does. */
  readonly undisturbed: (cli: Cli) => Promise<string>
}

export interface PlayedSeed {
  /** Sentences; none where all is well. */
  readonly left: readonly string[]
  /** Faults that happened, by name. */
  readonly counts: ReadonlyMap<string, number>
  /** How the commands of the user ended. */
  readonly ends: ReadonlyMap<string, number>
  readonly questions: number
  /** Of these, asked again although they had been answered. */
  readonly askedAgain: number
  readonly tookMs: number
}

const PROJECT = 7
const UNDISTURBED_PROJECT = 6
/** Each fifth brand has an alias, which is asked when its name is not enough. */
const QUESTIONS_PER_RECORD = 1.2
const ORIGIN = { delayMs: 400, batchSize: 10 }
const LOOK_EVERY_MS = 500
/** A match that comes no further for so long hangs, on whatever machine. */
const HANGS_MS = 15 * 60_000

/** Matches the records in a project of their own, which asks an origin of its own. */
export async function undisturbedTable(cli: Cli, records: number): Promise<string> {
  const origin = await startKillableOrigin({ delayMs: 0, batchSize: 50 })
  try {
    await importBrands(cli, UNDISTURBED_PROJECT, serviceOf(origin), records)
    await cli.data('start-match', '--project', String(UNDISTURBED_PROJECT))
    const questions = origin.log.asks().length
    if (questions === records * QUESTIONS_PER_RECORD) {
      return await exportedTable(cli, UNDISTURBED_PROJECT)
    }
    throw new Error(`Undisturbed, ${questions} questions were asked about ${records} records.`)
  } finally {
    await origin.close()
  }
}

/** @throws when the match comes to no end, or a command says what none should say. */
export async function playSeed({ plan, records, ...options }: SeedOptions): Promise<PlayedSeed> {
  const startedAt = performance.now()
  const guardian = startGuardian()
  const cli = createCli()
  const origin = await startKillableOrigin(ORIGIN)
  const ending = new AbortController()
  const needsVolume = plan.faults.some(({ fault }) => fault.kind === 'disk_full')
  const volume = needsVolume ? await smallVolumeOf(cli, guardian) : undefined
  try {
    await giveBundle(cli)
    const undisturbed = await options.undisturbed(cli)
    await importBrands(cli, PROJECT, serviceOf(origin), records)
    const { entriesPerTask } = plan
    const over = ending.signal
    const user = startMatchUser(cli, { project: PROJECT, records, entriesPerTask, over })
    const saboteur = createSaboteur({ cli, origin, user, project: PROJECT, volume, over })
    const playing = { cli, origin, user, saboteur, over }
    await untilCompleted(plan, playing, records * QUESTIONS_PER_RECORD)
    const { disturbances, counts } = saboteur
    const aftermath = { cli, origin, project: PROJECT, records, undisturbed, disturbances }
    const left = await faultsLeft(aftermath)
    const given = origin.log.asks().filter(({ outcome }) => outcome === 'answered')
    const questions = origin.log.answered()
    const askedAgain = given.length - questions
    const tookMs = performance.now() - startedAt
    return { left, counts, ends: user.ends, questions, askedAgain, tookMs }
  } finally {
    ending.abort()
    await origin.close()
    await cleanUp(cli, volume)
    await guardian.cleanUp()
  }
}

interface Playing {
  readonly cli: Cli
  readonly origin: KillableOrigin
  readonly user: MatchUser
  readonly saboteur: Saboteur
  /** Nobody waits any more. */
  readonly over: AbortSignal
}

/** @param questions of the whole match */
async function untilCompleted(plan: FaultPlan, playing: Playing, questions: number): Promise<void> {
  const { cli, origin, user, saboteur, over } = playing
  let isCompleted = false
  let isSettled = false
  let next = 'the end'
  const sabotage = async () => {
    for (const [index, { atShare, afterMs, fault }] of plan.faults.entries()) {
      next = `fault ${index + 1} (${fault.kind})`
      const isDue = () => isCompleted || origin.log.answered() >= atShare * questions
      while (!isDue()) await sleep(LOOK_EVERY_MS, undefined, { signal: over })
      await sleep(afterMs)
      if (isCompleted) break
      await saboteur.inflict(fault)
    }
    next = 'the end'
    await saboteur.settled()
    isSettled = true
  }
  const usage = async () => {
    await user.completed
    isCompleted = true
    // Nobody types any more, so a stack that dies now would stay dead.
    while (!isSettled) {
      await cli.run('up', '--background')
      await sleep(LOOK_EVERY_MS, undefined, { signal: over })
    }
  }
  try {
    await Promise.race([Promise.all([usage(), sabotage()]), hang(playing)])
  } catch (error) {
    throw new Error(`${String(error)}\n  waiting for ${next}\n${circumstances(playing)}`, {
      cause: error,
    })
  }
}

/** Rejects when nothing is answered any more. */
async function hang({ origin, over }: Playing): Promise<never> {
  let last = -1
  let sinceMs = performance.now()
  for (;;) {
    await sleep(1_000, undefined, { signal: over })
    const now = origin.log.asks().length
    if (now !== last) sinceMs = performance.now()
    last = now
    if (performance.now() - sinceMs > HANGS_MS) throw new Error('The match comes no further.')
  }
}

function circumstances({ cli, origin, user, saboteur }: Playing): string {
  const tail = (file: string) =>
    readFileSync(file, { encoding: 'utf8', flag: 'a+' }).trim().split('\n').slice(-12).join('\n  ')
  const { logs } = homePaths(cli.home)
  return [
    `answered: ${origin.log.answered()} questions`,
    `processes: ${JSON.stringify(cli.processes())}`,
    `faults: ${JSON.stringify(saboteur.disturbances.slice(-6))}`,
    `commands:\n${user.lastWords()}`,
    ...[logs.keeper, logs.worker, logs.postgres].map((file) => `${file}:\n  ${tail(file)}`),
  ].join('\n')
}

/** Under the data of the PostgreSQL that the stack of this home is going to have. */
async function smallVolumeOf(cli: Cli, guardian: Guardian): Promise<SmallVolume | undefined> {
  // Only root can mount, and root's PostgreSQL has a folder of its own.
  if (process.getuid?.() !== 0) return undefined
  const home = openHome(makeHomeFolder(cli.home))
  const { place } = await preparePostgresPlace(home, () => undefined)
  const volume = mountSmallVolume(place.folder, guardian)
  if (volume !== undefined) await preparePostgresPlace(home, () => undefined)
  return volume
}

function serviceOf({ domain }: KillableOrigin): string {
  return `http://${domain}/reconcile`
}

/** Bundling the workflows would take most of the first start. */
async function giveBundle(cli: Cli): Promise<void> {
  const bundle = await bundleWorkflows()
  const { cache } = homePaths(makeHomeFolder(cli.home))
  mkdirSync(cache)
  copyFileSync(bundle, join(cache, basename(bundle)))
}

async function cleanUp(cli: Cli, volume: SmallVolume | undefined): Promise<void> {
  if (volume !== undefined) {
    await cli.run('down')
    volume.remove()
  }
  await cli.remove()
}
