/** Something the set-up needs and cannot get by itself; the hint says what to install. */
export class SetUpError extends Error {
  /**
   * @param {string} message found and expected
   * @param {string} hint the next step; may have several lines
   */
  constructor(message, hint) {
    super(message)
    this.name = 'SetUpError'
    this.hint = hint
  }
}

/** Like every "a service of ours is not reachable" of this program. */
const EXIT_CODE_UNAVAILABLE = 4

/**
 * Prints the error for people and ends the process; anything that is not a SetUpError is thrown on.
 * @param {unknown} error
 * @returns {never}
 */
export function exitWithSetUpError(error) {
  if (!(error instanceof SetUpError)) throw error
  process.stderr.write(`error: ${error.message}\n${error.hint}\n`)
  process.exit(EXIT_CODE_UNAVAILABLE)
}
