import { existsSync } from 'node:fs'
import { maskPassword } from '../../config.ts'
import { homePaths } from './home.ts'
import type { StackAddresses } from './stack.ts'

/** The addresses of a stack for people; the password stays in a file that only its owner can read. */
export function stackLines(stack: StackAddresses): readonly string[] {
  const urlFile = homePaths(stack.home).databaseUrl
  const whole = existsSync(urlFile) ? `  (with its password: ${urlFile})` : ''
  return [
    ...(stack.pagesUrl === undefined ? [] : [`Pages      ${stack.pagesUrl}`]),
    `Web UI     ${stack.webUiUrl ?? `that of the Temporal server at ${stack.temporalAddress}`}`,
    `Database   ${maskPassword(stack.databaseUrl)}${whole}`,
    `Home       ${stack.home}`,
  ]
}
