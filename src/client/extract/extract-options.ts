import { availableParallelism } from 'node:os'
import { DEFAULT_MOST_ABSENT_PERCENT } from '../../core/extract/absence-rule.ts'
import type { ExtractOptions } from '../../core/extract/extract-run.ts'
import {
  checkConfig,
  type ParallelConfig,
  suggestedWorkers,
} from '../../core/extract/parallel-config.ts'
import type { SourceProfile } from '../../core/extract/source-profile.ts'
import { defaultRunOptions } from '../../core/run.ts'
import { UsageError } from '../../errors.ts'
import type { ExtractStartFlags } from '../commands/extract.ts'

const DEFAULT_MAX_ATTEMPTS = 3
const DEFAULT_REREADS = 1

/** @throws UsageError `bad_config` with every violation */
export function extractOptions(flags: ExtractStartFlags): ExtractOptions {
  return {
    config: checkedConfig(configOf(flags)),
    maxAttempts: flags.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    mostAbsentPercent: flags.mostAbsent ?? DEFAULT_MOST_ABSENT_PERCENT,
    giveUpAfterMs: flags.giveUpAfter ?? defaultRunOptions.giveUpAfterMs,
    rereads: flags.rereads ?? DEFAULT_REREADS,
  }
}

/** @throws UsageError `bad_config` with every violation */
export function checkedConfig(given: Partial<ParallelConfig>): ParallelConfig {
  const { config, problems } = checkConfig(given)
  if (problems.length === 0) return config
  throw new UsageError({
    code: 'bad_config',
    message: `The extraction cannot be set up so:\n${problems.map((one) => `  ${one}`).join('\n')}`,
    hint: `This machine can well do with ${suggestedWorkers(availableParallelism())} workers: --workers ${suggestedWorkers(availableParallelism())}`,
  })
}

function configOf(flags: ExtractStartFlags): Partial<ParallelConfig> {
  const { workers, queueSize, batchSize, ratePerMinute, ratePerSecond, adaptive } = flags
  return {
    ...(workers === undefined ? {} : { workers }),
    ...(queueSize === undefined ? {} : { queueSize }),
    ...(batchSize === undefined ? {} : { batchSize }),
    ...(ratePerMinute === undefined ? {} : { rateLimitPerMinute: ratePerMinute }),
    ...(ratePerSecond === undefined ? {} : { rateLimitPerSecond: ratePerSecond }),
    adaptiveRateLimiting: adaptive,
  }
}

/** The types that are asked for, in the order of the profile. @throws UsageError `unknown_type` */
export function pickTypes(
  profile: SourceProfile,
  wanted: readonly string[] | undefined,
): readonly string[] {
  const known = profile.types.map(({ name }) => name)
  const unknown = wanted?.filter((name) => !known.includes(name)) ?? []
  if (unknown.length > 0) {
    throw new UsageError({
      code: 'unknown_type',
      message: `The profile ${profile.name} has no content type ${unknown.join(', ')}.`,
      hint: `It has: ${known.join(', ')}`,
    })
  }
  return wanted === undefined ? known : known.filter((name) => wanted.includes(name))
}
