/** Plays a scene: who asks whom for how long, and what happens meanwhile. */
import {
  defaultPolicy,
  type DomainPolicy,
  type StrategyName,
} from '../../src/core/limiter/policy.ts'
import type { ObservedStep } from './limiter-host.ts'
import { silentOrigin, type BuildOrigin, type Origin, type OriginSpeech } from './origins/origin.ts'
import type { DomainLog } from './run-log.ts'
import { seededRandom } from './seeded-random.ts'
import { World } from './world.ts'

export interface Scene {
  readonly origin: BuildOrigin
  readonly minutes: number
  /** Processes. Default 8. */
  readonly workers?: number
  /** Activities a process runs at once. Default `SLOTS`. */
  readonly slots?: number
  /** Activities that ask all the time. Default as many as there are slots: more than the origin ever accepts. */
  readonly tasks?: number
  /** On top of `benchPolicy`. */
  readonly policy?: Partial<DomainPolicy> | undefined
  readonly speech?: OriginSpeech
  /** Whose requests they are, in turn. Default two projects. */
  readonly projects?: readonly string[]
  readonly weightOf?: (project: string) => number
  /** Sets timers for what happens, adds domains and processes. */
  readonly arrange?: (world: World) => void
}

/** What differs from one run of a scene to the next. */
export interface Setting {
  readonly strategy: StrategyName
  readonly seed: number
  /** Given on the command line; wins over everything. */
  readonly policy: Partial<DomainPolicy>
  readonly onStep?: ((step: ObservedStep) => void) | undefined
}

export interface Played {
  readonly log: DomainLog
  readonly origin: Origin
  readonly world: World
  readonly endMs: number
}

export const DOMAIN = 'origin.example'
export const PROJECTS = ['1', '2']
export const MINUTE_MS = 60_000
/** Per process. With half as many a process can be short of callers in its turn, and strict origins suffer. */
export const SLOTS = 40
/** Requests on their way at once, of all processes. */
export const MAX_IN_FLIGHT = 64

/** An unknown domain, without the ceilings that keep us polite: the origin is what limits. */
function benchPolicy(strategy: StrategyName): DomainPolicy {
  const open = { initialRps: 1, maxRps: 1_000, maxInFlight: MAX_IN_FLIGHT }
  return { ...defaultPolicy(DOMAIN), strategy, ...open }
}

export async function play(scene: Scene, setting: Setting): Promise<Played> {
  const { workers = 8, slots = SLOTS, projects = PROJECTS, minutes, weightOf } = scene
  const { seed, strategy, onStep } = setting
  const policy = { ...benchPolicy(strategy), ...scene.policy, ...setting.policy }
  const world = new World({ seed, slots, policyFor: () => policy, weightOf, onStep })
  const origin = scene.origin(seededRandom(seed, 'origin'), scene.speech ?? silentOrigin)
  const log = world.addDomain(DOMAIN, origin)
  scene.arrange?.(world)
  for (let made = 0; made < workers; made += 1) world.addProcess()
  const tasks = scene.tasks ?? workers * slots
  for (let made = 0; made < tasks; made += 1) {
    world.addTask(DOMAIN, projects[made % projects.length] ?? '')
  }
  const endMs = minutes * MINUTE_MS
  await world.clock.runUntil(endMs)
  return { log, origin, world, endMs }
}
