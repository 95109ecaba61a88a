import { homedir } from 'node:os'
import { join } from 'node:path'
import { takeProcessLock } from './process-lock.mjs'

/**
 * Two stacks of one person that start at the same moment would find the same port free; one of them would then
 * talk to the other's server. So a keeper reserves its ports for its whole life.
 * @returns a function that gives the port back; undefined: another process has it.
 */
export function reservePort(port: number): (() => void) | undefined {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const taken = takeProcessLock(join(cache, 'record-linker', 'ports', String(port)))
  return 'held' in taken ? taken.held.release : undefined
}
