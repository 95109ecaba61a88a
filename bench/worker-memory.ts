import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Lab } from './origin/lab.ts'

const LOOK_EVERY_MS = 500

/** Resident memory of the workers of a lab, looked at again and again. `stop` tells the most of any one, MB. */
export function watchMemory(lab: Pick<Lab, 'workerPids'>): { readonly stop: () => number } {
  let peakMb = 0
  const look = async (): Promise<void> => {
    for (const pid of lab.workerPids()) {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', `${pid}`])
      peakMb = Math.max(peakMb, Number(stdout) / 1024)
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return peakMb
    },
  }
}
