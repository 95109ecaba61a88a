import { closeSync, fstatSync, openSync } from 'node:fs'
import { homePaths, isStillThere, type Home } from './home.ts'

const EVERY_MS = 1000

export interface HomeWatch {
  /** Ends the watch and says how the folder fared. */
  readonly stop: () => 'there' | 'moved' | 'deleted'
}

/**
 * Tells once when the folder is not where it was. Its id file is held open, which tells a folder that was
 * deleted (no link to the file is left) from one that was renamed.
 */
export function watchHome(home: Home, onGone: () => void): HomeWatch {
  const descriptor = openSync(homePaths(home.path).id, 'r')
  const timer = setInterval(() => {
    if (isStillThere(home)) return
    clearInterval(timer)
    onGone()
  }, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      const links = fstatSync(descriptor).nlink
      closeSync(descriptor)
      if (isStillThere(home)) return 'there'
      return links === 0 ? 'deleted' : 'moved'
    },
  }
}
