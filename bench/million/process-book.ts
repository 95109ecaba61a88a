/**
 * What groups of processes use, seen from outside by `ps`: memory now, and CPU time since they began. A process that
 * has ended keeps what was last seen of it, so that what a server's short-lived children did is not lost.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface SeenProcess {
  readonly pid: number
  readonly parentPid: number
  readonly rssMb: number
  readonly cpuS: number
}

export interface GroupUse {
  /** Of all its processes now, MB; memory that they share is counted once for each. */
  readonly rssMb: number
  /** Since the beginning, s; of processes that ended, up to the last look. */
  readonly cpuS: number
}

export async function lookAtProcesses(): Promise<readonly SeenProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,time='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, parentPid, rssKb, time] = line.trim().split(/\s+/)
    if (time === undefined) return []
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        rssMb: Number(rssKb) / 1024,
        cpuS: secondsOf(time),
      },
    ]
  })
}

/** `1-02:03:04`, `02:03:04` or `3:04.25`. */
export function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed()
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Number(days) * 86_400 + seconds
}

/** One group: a process and its children, and again their children. */
export class ProcessGroup {
  readonly #cpuOf = new Map<number, number>()
  readonly #roots = new Set<number>()

  add(pid: number): void {
    this.#roots.add(pid)
  }

  look(all: readonly SeenProcess[]): GroupUse {
    const members = new Set(this.#roots)
    for (let grew = true; grew;) {
      const children = all.filter(
        ({ pid, parentPid }) => members.has(parentPid) && !members.has(pid),
      )
      for (const { pid } of children) members.add(pid)
      grew = children.length > 0
    }
    const living = all.filter(({ pid }) => members.has(pid))
    for (const { pid, cpuS } of living) this.#cpuOf.set(pid, cpuS)
    return {
      rssMb: living.reduce((sum, { rssMb }) => sum + rssMb, 0),
      cpuS: [...this.#cpuOf.values()].reduce((sum, cpuS) => sum + cpuS, 0),
    }
  }
}
