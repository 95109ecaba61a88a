import { SetUpError } from './set-up-error.mjs'

/** The same floor as `engines` in package.json. */
const OLDEST_NODE = [20, 19]

/** @throws {SetUpError} when this Node is too old for the libraries we use. */
export function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new SetUpError(
    `This is Node ${process.versions.node}; Record Linker needs Node ${OLDEST_NODE.join('.')} or newer.`,
    'Install a current Node (for example with nvm: nvm install 22), then run the command again.',
  )
}
