/** A real disk of which any step can fail. */
import { type Disk, nodeDisk } from '../../src/store/disk.ts'

/** @param before is told the number and the name of each step, from 1; what it throws is what the step says */
export function breakableDisk(before: (step: number, name: keyof Disk) => void): Disk {
  let step = 0
  const told = <K extends keyof Disk>(name: K): Disk[K] =>
    (async (...args: readonly never[]) => {
      step += 1
      before(step, name)
      return (nodeDisk[name] as (...args: readonly never[]) => Promise<unknown>)(...args)
    }) as Disk[K]
  return {
    sizeOf: told('sizeOf'),
    sync: told('sync'),
    makeFolder: told('makeFolder'),
    copy: told('copy'),
    setMode: told('setMode'),
    rename: told('rename'),
    touch: told('touch'),
    remove: told('remove'),
    freeBytes: told('freeBytes'),
  }
}

export function diskError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: as the test wants it`), { code })
}
