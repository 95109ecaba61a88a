/** Looks at all processes of a bench every two seconds and can say afterwards what each used between two moments. */
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GroupUse, lookAtProcesses, ProcessGroup } from './process-book.ts'

/** `command`: whatever the command line does; `service`: the bench itself with its service. */
export const groupNames = ['worker', 'postgres', 'temporal', 'command', 'service'] as const
export type GroupName = (typeof groupNames)[number]

export interface Sample {
  readonly atMs: number
  readonly use: Readonly<Record<GroupName, GroupUse>>
  /** CPU seconds of the whole machine, whoever used them. */
  readonly machineS: number
}

export interface RunMeter {
  /** From now on this process and its children belong to the group. */
  readonly add: (group: Exclude<GroupName, 'service'>, pid: number) => void
  /** In order of time. */
  readonly samples: readonly Sample[]
  readonly stop: () => Promise<void>
}

const LOOK_EVERY_MS = 2_000

export function startRunMeter(): RunMeter {
  const groups = {
    worker: new ProcessGroup(),
    postgres: new ProcessGroup(),
    temporal: new ProcessGroup(),
    command: new ProcessGroup(),
  }
  const samples: Sample[] = []
  const stopping = new AbortController()
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      const all = await lookAtProcesses()
      const own = process.cpuUsage()
      const use = {
        worker: groups.worker.look(all),
        postgres: groups.postgres.look(all),
        temporal: groups.temporal.look(all),
        command: groups.command.look(all),
        // Its children are the other groups.
        service: {
          rssMb: process.memoryUsage.rss() / 2 ** 20,
          cpuS: (own.user + own.system) / 1e6,
        },
      }
      samples.push({ atMs: Date.now(), use, machineS: machineSeconds() })
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return {
    add: (group, pid) => groups[group].add(pid),
    samples,
    stop: async () => {
      stopping.abort()
      await looking
    },
  }
}

function machineSeconds(): number {
  const used = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)
  return used.reduce((sum, ms) => sum + ms, 0) / 1000
}
