/** One run of steady demand, always above what the origin accepts: for tuning from a scratch script. */
import type { DomainPolicy, StrategyName } from '../../src/core/limiter/policy.ts'
import type { ObservedStep } from './limiter-host.ts'
import { metricsOf, type Metrics } from './metrics.ts'
import { originCase, type OriginCase, type OriginName } from './origins/catalogue.ts'
import { silentOrigin, type OriginSpeech } from './origins/origin.ts'
import { play, SLOTS, type Played } from './play.ts'

export interface SimulateOptions {
  readonly origin: OriginName | OriginCase
  /** Default `adaptive`. */
  readonly strategy?: StrategyName
  /** Default 1. */
  readonly seed?: number
  /** Default 20. */
  readonly minutes?: number
  /** Default 8. */
  readonly workers?: number
  /** Activities per process, all of which ask all the time. Default `SLOTS`. */
  readonly callers?: number
  readonly policy?: Partial<DomainPolicy>
  readonly speech?: OriginSpeech
  /** Called after each message to the limiter, with its state before and after. */
  readonly onStep?: (step: ObservedStep) => void
}

export interface Simulated extends Played {
  readonly metrics: Metrics
}

export async function simulate(options: SimulateOptions): Promise<Simulated> {
  const { origin, minutes = 20, workers = 8, callers = SLOTS, speech = silentOrigin } = options
  const { strategy = 'adaptive', seed = 1, policy = {}, onStep } = options
  const { build, policy: usual } = typeof origin === 'string' ? originCase(origin) : origin
  const scene = { origin: build, minutes, workers, slots: callers, policy: usual, speech }
  const played = await play(scene, { strategy, seed, policy, onStep })
  return { ...played, metrics: metricsOf(played) }
}
