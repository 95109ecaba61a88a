import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The process and all that descend from it: stopping a server means its processes for single connections too. */
export function processTree(pid: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const [child, parent] of parents()) {
    children.set(parent, [...(children.get(parent) ?? []), child])
  }
  const tree = [pid]
  for (const parent of tree) tree.push(...(children.get(parent) ?? []))
  return tree
}

/** @returns pairs of a process and its parent */
function parents(): readonly (readonly [child: number, parent: number])[] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.flatMap((pid) => parentOf(pid))
  }
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
      return [pid, parent] as const
    })
}

function parentOf(pid: string): readonly (readonly [number, number])[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name in parentheses may hold anything; state and parent follow it (proc(5)).
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [[Number(pid), Number(parent)]]
  } catch {
    return [] // it ended in this moment
  }
}
