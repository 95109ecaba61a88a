/**
 * `npm run bench:limiter`: plays all stories with many seeds and says whether the goals are met.
 *
 *   --seeds N           seeds 1 to N (default 20)
 *   --origin O1         only this origin, without and with headers; may be repeated
 *   --story NAME        only this story; may be repeated
 *   --strategy NAME     only this strategy (default: origins with adaptive, aimd and multiplier, all else with adaptive)
 *   --policy KEY=VALUE  on top of every run's policy; may be repeated
 *   -o json             a list of { name, value, worst, goal, unit, ok }
 *   --markdown          the tables for docs/limits.md; `npm run format` then aligns them
 *
 * Strategies beside `adaptive` are played with the first three seeds: they are there to compare with.
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage. Only `adaptive` has goals.
 */
import {
  defaultPolicy,
  type DomainPolicy,
  type StrategyName,
} from '../../src/core/limiter/policy.ts'
import type { UsageError } from '../../src/errors.ts'
import { benchUsage, exitCode, readArgs } from '../exit-code.ts'
import { runJobs } from './job-pool.ts'
import { originNames } from './origins/catalogue.ts'
import { reportLines, reportTables } from './report.ts'
import { eventStories, originStories } from './stories/catalogue.ts'
import type { Story } from './stories/story.ts'
import { summarise, type Summary } from './summary.ts'

const STRATEGIES: readonly StrategyName[] = ['adaptive', 'aimd', 'multiplier', 'cubic', 'fixed']
const COMPARED: readonly StrategyName[] = ['adaptive', 'aimd', 'multiplier']
const COMPARED_SEEDS = 3
const MOST_SEEDS = 1_000

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(() => bench(args))
}

async function bench(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const cases = options.stories.flatMap((story) =>
    strategiesOf(story, options.strategy).map((strategy) => ({ story, strategy })),
  )
  const jobs = cases.map(({ story, strategy }) =>
    seedsOf(strategy, options).map((seed) => ({
      story: story.name,
      strategy,
      seed,
      policy: options.policy,
    })),
  )
  const all = jobs.flat()
  const results = await runJobs(all, (done) => progress(done, all.length))
  let next = 0
  const summaries = cases.map(({ story, strategy }, index): Summary => {
    const first = next
    next += jobs[index]?.length ?? 0
    const measures = summarise(results.slice(first, next), strategy === 'adaptive')
    return { story: story.name, title: story.title, strategy, measures }
  })
  const lines = reportLines(summaries)
  process.stdout.write(
    options.output === 'json'
      ? `${JSON.stringify(lines, null, 2)}\n`
      : `${reportTables(summaries, options.output === 'markdown')}\n`,
  )
  return lines.some(({ ok }) => ok === false) ? 1 : 0
}

interface Options {
  readonly seeds: number
  readonly stories: readonly Story[]
  readonly strategy: StrategyName | undefined
  readonly policy: Partial<DomainPolicy>
  readonly output: 'text' | 'json' | 'markdown'
}

function readOptions(args: readonly string[]): Options {
  const { values } = parse(args)
  const seeds = Number(values.seeds)
  if (!(Number.isInteger(seeds) && seeds >= 1 && seeds <= MOST_SEEDS)) {
    throw usage(`--seeds is ${values.seeds}, expected a whole number from 1 to ${MOST_SEEDS}`)
  }
  const strategy = STRATEGIES.find((name) => name === values.strategy)
  if (values.strategy !== undefined && strategy === undefined) {
    throw usage(`--strategy is ${values.strategy}, expected one of ${STRATEGIES.join(', ')}`)
  }
  if (values.output !== 'text' && values.output !== 'json') {
    throw usage(`-o is ${values.output}, expected text or json`)
  }
  return {
    seeds,
    strategy,
    stories: chosenStories(values.origin, values.story),
    policy: readPolicy(values.policy),
    output: values.markdown ? 'markdown' : values.output,
  }
}

function parse(args: readonly string[]) {
  return readArgs('limiter', {
    args: [...args],
    options: {
      seeds: { type: 'string', default: '20' },
      origin: { type: 'string', multiple: true, default: [] },
      story: { type: 'string', multiple: true, default: [] },
      strategy: { type: 'string' },
      policy: { type: 'string', multiple: true, default: [] },
      output: { type: 'string', short: 'o', default: 'text' },
      markdown: { type: 'boolean', default: false },
    },
  })
}

function chosenStories(origins: readonly string[], names: readonly string[]): readonly Story[] {
  const all = [...originStories, ...eventStories]
  const unknownOrigin = origins.find((name) => !originNames.some((known) => known === name))
  if (unknownOrigin !== undefined) {
    throw usage(`--origin is ${unknownOrigin}, expected one of ${originNames.join(', ')}`)
  }
  const unknownStory = names.find((name) => !all.some((story) => story.name === name))
  if (unknownStory !== undefined) {
    const known = all.map(({ name }) => name).join(', ')
    throw usage(`--story is ${unknownStory}, expected one of ${known}`)
  }
  if (origins.length === 0 && names.length === 0) return all
  return all.filter(
    ({ name }) => names.includes(name) || origins.some((origin) => name.split('+')[0] === origin),
  )
}

function readPolicy(settings: readonly string[]): Partial<DomainPolicy> {
  const known: Readonly<Record<string, unknown>> = { ...defaultPolicy('origin.example') }
  const entries = settings.map((setting) => {
    const [key = '', value = ''] = setting.split('=', 2)
    if (!(key in known) || key === 'strategy') {
      throw usage(`--policy names ${key}, expected one of ${Object.keys(known).join(', ')}`)
    }
    const number = value === 'null' ? null : Number(value)
    if (value === '' || Number.isNaN(number)) {
      throw usage(`--policy ${key} is ${value}, expected a number`)
    }
    return [key, number] as const
  })
  return Object.fromEntries(entries)
}

function usage(message: string): UsageError {
  return benchUsage('limiter', message)
}

/** All strategies on the silent origins; what else happens is played with ours. */
function strategiesOf({ name }: Story, only: StrategyName | undefined): readonly StrategyName[] {
  if (only !== undefined) return [only]
  return originNames.some((origin) => origin === name) ? COMPARED : ['adaptive']
}

function seedsOf(strategy: StrategyName, { seeds, strategy: only }: Options): readonly number[] {
  const isBeside = only === undefined && strategy !== 'adaptive'
  const length = isBeside ? Math.min(seeds, COMPARED_SEEDS) : seeds
  return Array.from({ length }, (_, index) => index + 1)
}

function progress(done: number, all: number): void {
  const end = done === all ? '\n' : ''
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all} runs${end}`)
  else if (done % 100 === 0 || done === all) process.stderr.write(`${done} of ${all} runs\n`)
}
