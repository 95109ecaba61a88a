import { stopProcess, waitForEnd } from './background-process.ts'
import type { Part } from './keep-running.ts'
import { startNodeProgram, type NodeProgram } from './node-program.ts'
import type { ProcessMark } from './process-identity.mjs'
import type { PartName, ProcessRecord } from './process-record.ts'

const names = {
  worker: 'the worker',
  sampleService: 'the sample service',
  pages: 'the pages',
} as const

/** A part that is a program of ours. */
export interface ProgramPart extends Part {
  /** Waits for what a killed keeper left: it ends by itself, or is ended. */
  readonly awaitLeftover: () => Promise<void>
}

/** @param drainMs how long it may take to finish what it is doing */
export function programPart(
  partName: PartName & keyof typeof names,
  drainMs: number,
  processes: ProcessRecord,
  program: () => Omit<NodeProgram, 'name' | 'onStart' | 'signal'>,
): ProgramPart {
  const name = names[partName]
  const end = (mark: ProcessMark, urgent: boolean) =>
    stopProcess(mark, [
      ...(urgent ? [] : [{ signal: 'SIGTERM', waitMs: drainMs } as const]),
      { signal: 'SIGKILL', waitMs: 5000 },
    ])
  return {
    name,
    awaitLeftover: async () => {
      const left = processes.get(partName)
      if (left && !(await waitForEnd(left, drainMs))) await end(left, true)
    },
    start: (signal) =>
      startNodeProgram({
        ...program(),
        name,
        onStart: (mark) => processes.set(partName, mark),
        signal,
      }),
    stop: async (urgent) => {
      const mark = processes.get(partName)
      if (mark) await end(mark, urgent)
    },
  }
}
