/** Makes faults happen to a stack, its origin and the commands of its user, and remembers when. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, type ProcessMark } from '../../../src/client/stack/process-identity.mjs'
import type { Cli, StackProcess } from '../../support/cli.ts'
import { processTree } from '../../support/process-tree.ts'
import type { Disturbance } from './asked-too-often.ts'
import { type Fault, faultName, type FaultyPart } from './fault.ts'
import type { KillableOrigin } from './killable-origin.ts'
import type { MatchUser } from './match-user.ts'
import type { SmallVolume } from './small-volume.ts'

export interface Scene {
  readonly cli: Cli
  readonly origin: KillableOrigin
  readonly user: MatchUser
  readonly project: number
  /** Where PostgreSQL writes; undefined: nothing could be mounted, or no fault needs it. */
  readonly volume: SmallVolume | undefined
  /** Nothing is done any more. */
  readonly over: AbortSignal
}

export interface Saboteur {
  /** Resolves when the fault is there; a cancel, when the match may be started again. */
  readonly inflict: (fault: Fault) => Promise<void>
  /** Resolves when all that was stopped goes on, and all that died is there again. */
  readonly settled: () => Promise<void>
  readonly disturbances: readonly Disturbance[]
  /** Faults that happened, by name. */
  readonly counts: ReadonlyMap<string, number>
}

const LOOK_EVERY_MS = 50
const TYPED_AGAIN_MS = 500

export function createSaboteur({ cli, origin, user, project, volume, over }: Scene): Saboteur {
  const pass = (ms: number) => sleep(ms, undefined, { signal: over })
  const disturbances: { what: string; fromMs: number; untilMs: number }[] = []
  const counts = new Map<string, number>()
  /** Of what dies or stands still now. */
  const ofOrigin = new Set<Promise<void>>()
  const ofStack = new Set<Promise<void>>()

  /** The fault is there from now on; it is over when `happen` is. */
  const disturb = (what: string, pending: Set<Promise<void>>, happen: () => Promise<void>) => {
    const disturbance = { what, fromMs: Date.now(), untilMs: Infinity }
    disturbances.push(disturbance)
    const end = async () => {
      await happen()
      disturbance.untilMs = Date.now()
      pending.delete(ending)
    }
    const ending = end()
    // Whoever waits for what is pending is told.
    ending.catch(() => undefined)
    pending.add(ending)
  }
  const settledOf = async (pending: Set<Promise<void>>) => {
    while (pending.size > 0) await Promise.all(pending)
  }
  const living = async (part: StackProcess): Promise<ProcessMark> => {
    for (;;) {
      const mark = cli.processes()[part]
      if (mark !== undefined) return mark
      await pass(LOOK_EVERY_MS)
    }
  }
  const markOf = async (part: FaultyPart): Promise<ProcessMark> => {
    if (part !== 'origin') return living(part)
    await settledOf(ofOrigin)
    return origin.mark() ?? Promise.reject(new Error('The origin has died by itself.'))
  }
  const pendingOf = (part: StackProcess | 'origin') => (part === 'origin' ? ofOrigin : ofStack)

  const kill = async (part: StackProcess | 'origin', awayMs: number) => {
    if (part === 'origin') {
      await settledOf(ofOrigin)
      disturb('kill origin', ofOrigin, async () => {
        await origin.kill()
        await pass(awayMs)
        await origin.start()
      })
      return
    }
    const mark = await living(part)
    disturb(`kill ${part}`, ofStack, async () => {
      signalLiving([mark], 'SIGKILL')
      while (isRunning(mark)) await pass(LOOK_EVERY_MS)
      await living(part)
    })
  }
  const pause = async (part: FaultyPart, forMs: number) => {
    const mark = await markOf(part)
    disturb(`pause ${part}`, pendingOf(part), async () => {
      const stopped = processTree(mark.pid)
      signal(stopped, 'SIGSTOP')
      await pass(forMs)
      signal(stopped, 'SIGCONT')
    })
  }
  const cancel = async () => {
    for (;;) {
      const { code, stderr } = await cli.run('cancel-match', '--project', String(project))
      if (code === 0 || stderr.includes('[no_open_run]')) return
      if (code !== 4) throw new Error(`cancel-match ended with ${code}:\n${stderr}`)
      await pass(TYPED_AGAIN_MS)
    }
  }
  const inflict = async (fault: Fault): Promise<void> => {
    switch (fault.kind) {
      case 'kill':
        return kill(fault.part, fault.awayMs)
      case 'pause':
        return pause(fault.part, fault.forMs)
      case 'power_cut':
        return disturb('power cut', ofStack, async () => {
          await cli.killEverything()
          await living('worker')
        })
      case 'burst':
        await settledOf(ofOrigin)
        return origin.order(fault)
      case 'disk_full':
        return disturb('disk full', ofStack, async () => {
          volume?.fill()
          await pass(fault.forMs)
          volume?.free()
        })
      case 'start_twice':
        return user.typeAgain(2)
      case 'cancel':
        // What a stopped origin reads later was sent before: it would look like sent after the cancel.
        await settledOf(ofOrigin)
        return disturb('cancel', ofStack, () =>
          user.rest(async () => {
            await cancel()
            await pass(fault.restMs)
          }, fault.starts),
        )
    }
  }
  return {
    async inflict(fault) {
      if (fault.kind === 'disk_full' && volume === undefined) return
      await inflict(fault)
      if (fault.kind === 'cancel') await settledOf(ofStack)
      counts.set(faultName(fault), (counts.get(faultName(fault)) ?? 0) + 1)
    },
    settled: async () => {
      await settledOf(ofOrigin)
      await settledOf(ofStack)
    },
    disturbances,
    counts,
  }
}

function signalLiving(marks: readonly ProcessMark[], name: NodeJS.Signals): void {
  signal(
    marks.filter(isRunning).map(({ pid }) => pid),
    name,
  )
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      // It has ended in the meantime.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
