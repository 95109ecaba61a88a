/** Benches that take minutes are made in seconds here: whatever the figures are, each is there. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRedisThere } from '../../bench/engine/peers/redis-server.ts'
import { packageRoot } from '../../src/config.ts'

interface Line {
  readonly name: string
  readonly value: number | null
  readonly ok: boolean | null
}

/** Servers of its own, a worker and a dozen commands, on a machine that may be busy. */
const PATIENCE_MS = 900_000

const peers = ['DBOS', 'pg-boss', ...(isRedisThere() ? ['BullMQ'] : []), 'graphile-worker']
const benches = {
  engine: [
    'loop: the plain loop',
    'loop: a match run, start to end',
    'loop: engine overhead, of the wall time of the loop',
    'loop: records without a decision',
    ...peers.flatMap((name) => [`peers: ${name}`, `peers: ${name}: without a decision`]),
    'children: empty children',
    'children: tasks of one stored answer',
    'children: part of the rate of empty children',
  ],
  extract: [
    'workers: items a second, 1 workers',
    'workers: items a second, 4 workers',
    'workers: times one worker, 4 workers',
    'workers: items a second, 10 workers',
    'workers: times one worker, 10 workers',
    'workers: items a second, 32 workers',
    'workers: times one worker, 32 workers',
    'memory: items a second',
    'memory: most memory of the worker',
    'limit: use after the first minute',
    'limit: refused per 1000 after it',
  ],
  download: [
    'large: curl --parallel',
    'large: a queue',
    'large: a queue, of what curl reaches',
    'large: most memory of the worker',
    'small: curl --parallel',
    'small: a loop over undici',
    'small: a queue',
    'small: what a queue costs more than the loop',
    'small: most memory of the worker',
    'small: once more, from what is stored',
    'small: bodies sent for that',
  ],
} as const

it.each(Object.entries(benches))(
  'bench:%s measures what it names',
  async (bench, names) => {
    const lines = await measured(bench)
    expect(lines.map(({ name }) => name)).toEqual(names)
    expect(lines.filter(({ value }) => value === null)).toEqual([])
    const undecided = lines.filter(({ name }) => name.endsWith('without a decision'))
    expect(undecided.filter(({ value }) => value !== 0)).toEqual([])
  },
  PATIENCE_MS,
)

async function measured(bench: string): Promise<readonly Line[]> {
  const args = [join(packageRoot, 'scripts/bench.mjs'), bench, '--short', '-o', 'json']
  const { code, stdout, stderr } = await new Promise<{
    code: number | string | null | undefined
    stdout: string
    stderr: string
  }>((resolve) => {
    execFile(process.execPath, args, (error, out, err) =>
      resolve({ code: error?.code ?? 0, stdout: out, stderr: err }),
    )
  })
  // 1: goals are missed, as they are bound to be in seconds.
  if (code !== 0 && code !== 1) throw new Error(`bench:${bench} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
