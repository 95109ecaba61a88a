import { readFileSync } from 'node:fs'

/** USER_HZ, which Linux shows to every program as 100 whatever the kernel's own rate is (proc(5), time(7)). */
const TICKS_PER_SECOND = 100

/** What a process has computed so far, all its threads together, ms; undefined where that cannot be read. */
export function cpuTimeMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name in parentheses may hold anything; the fields after it are fixed, utime and stime among them.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
  } catch {
    return undefined // it has ended, or this is no Linux
  }
}
