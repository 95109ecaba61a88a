/**
 * Two domains, one of which answers only 503 for ten minutes, while a hundred activities wait for it: the
 * other is asked as fast as before.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { usePct } from '../../limiter/measure.ts'
import type { Measure } from '../../limiter/stories/story.ts'
import { matchProjectId } from '../../../src/core/workflow-ids.ts'
import type { Lab } from '../lab.ts'
import { startLoopbackOrigin, type Arrival, type LoopbackOrigin } from '../loopback-origin.ts'
import { underLoad } from '../under-load.ts'
import type { Part } from './part.ts'

const RPS = 20
/** Ten tasks of a project are in flight at a time: a hundred in all. */
const BAD_PROJECTS = 10
const WAITING = 100
/** Enough that the first is not done when the last has begun to ask, two minutes later. */
const BAD_RECORDS = 4_000
/** So fast that nobody queues for long while it is well, and never refused. */
const BAD_RPS = 30
const BAD_LIMIT_RPS = 2 * BAD_RPS
const WITHIN_PCT = 5
/** Of forty in each of three processes. */
const SLOTS_HELD = 10
const LOOKS = 6
/** Ten projects imported and started by the command line. */
const STARTING_S = 120
const LOOK_AGAIN_MS = 1_000
const { PendingActivityState } = proto.temporal.api.enums.v1

export const twoDomains: Part = {
  name: 'two-domains',
  title: 'one domain answers 503, a hundred activities wait for it',
  async run({ lab, isShort }) {
    const [warmS, aloneS, badS] = isShort ? [20, 20, 30] : [45, 120, 600]
    const load = { rps: RPS, initialRps: RPS / 2, forS: warmS + aloneS + badS + STARTING_S }
    return underLoad(await lab(), load, async ({ lab: open, origin, pass }) => {
      const aloneMs = await pass(warmS)
      const bothMs = await pass(aloneS)
      const bad = await startLoopbackOrigin(BAD_LIMIT_RPS)
      try {
        const projects = await startBadProjects(open, bad)
        await untilAllAsk(bad)
        bad.setBroken(true)
        const brokenMs = origin.nowMs()
        const looks = await lookSometimes(open.client, projects, badS)
        const endMs = origin.nowMs()
        const { log, model } = origin
        const alone = usePct(log, model, aloneMs, bothMs)
        const beside = usePct(log, model, brokenMs, endMs)
        for (const project of projects) await open.cancel(project)
        return { measures: [speed(alone, beside), ...waiting(looks), asked(bad)] }
      } finally {
        await bad.close()
      }
    })
  },
}

function speed(alone: number, beside: number): Measure {
  return {
    name: 'speed beside the bad one, of that alone',
    value: (100 * beside) / alone,
    unit: '%',
    goal: { atLeast: 100 - WITHIN_PCT, atMost: 100 + WITHIN_PCT },
  }
}

/** Started while their service is well: whether it is there is asked before the first task. */
async function startBadProjects(lab: Lab, bad: LoopbackOrigin): Promise<readonly number[]> {
  await lab.run('limits', 'set', bad.domain, '--max-rps', `${BAD_RPS}`)
  const projects: number[] = []
  while (projects.length < BAD_PROJECTS) {
    projects.push(await lab.match(bad, BAD_RECORDS, `/${projects.length}`))
  }
  return projects
}

/** Until a question of each has come: from then on each has ten activities that ask. */
async function untilAllAsk(bad: LoopbackOrigin): Promise<void> {
  const deadlineMs = performance.now() + STARTING_S * 1000
  for (;;) {
    const asking = new Set(bad.arrivals.filter(isQuestion).map(({ request }) => request.path))
    if (asking.size >= BAD_PROJECTS) return
    if (performance.now() > deadlineMs) {
      throw new Error(`${asking.size} projects ask after ${STARTING_S} s, expected ${BAD_PROJECTS}`)
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

function isQuestion({ request }: Arrival): boolean {
  return request.queries !== null
}

interface Look {
  /** Activities that wait for the bad domain. */
  readonly waiting: number
  /** Of these, in a slot of a worker at this instant. */
  readonly inSlots: number
}

async function lookSometimes(
  client: Client,
  projects: readonly number[],
  overS: number,
): Promise<readonly Look[]> {
  const looks: Look[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    await sleep((overS * 1000) / LOOKS)
    looks.push(await lookAt(client, projects))
  }
  return looks
}

async function lookAt(client: Client, projects: readonly number[]): Promise<Look> {
  const roots = projects.map((project) => `'${matchProjectId(project)}'`)
  const query = `WorkflowType = 'matchTask' and ExecutionStatus = 'Running' and RootWorkflowId in (${roots.join(', ')})`
  const look = { waiting: 0, inSlots: 0 }
  for await (const { workflowId } of client.workflow.list({ query })) {
    const { raw } = await client.workflow.getHandle(workflowId).describe()
    for (const { state } of raw.pendingActivities ?? []) {
      look.waiting += 1
      if (state === PendingActivityState.PENDING_ACTIVITY_STATE_STARTED) look.inSlots += 1
    }
  }
  return look
}

/** At the first look some tasks may still be between two activities. */
function waiting(looks: readonly Look[]): readonly Measure[] {
  const later = looks.slice(1)
  return [
    {
      name: 'activities that waited for the bad one, least',
      value: Math.min(...later.map(({ waiting }) => waiting)),
      unit: '',
      goal: { atLeast: WAITING },
    },
    {
      name: 'of these in a slot, most',
      value: Math.max(...later.map(({ inSlots }) => inSlots)),
      unit: '',
      goal: { atMost: SLOTS_HELD },
    },
  ]
}

function asked({ log }: LoopbackOrigin): Measure {
  return { name: 'asked of the bad one while it was so', value: log.failedMs.length, unit: '' }
}
