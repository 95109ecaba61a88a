/** A service of docker-compose.yml that ends when its work is done. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bareEnv } from '../bare-env.ts'
import type { LocalService } from './local-service.ts'

/**
 * @param env beside the variables of the service
 * @throws with what it said, when it ends with another code than 0
 */
export async function runStep(
  { command, environment }: LocalService,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const [program = '', ...args] = command
  await promisify(execFile)(program, args, { env: { ...bareEnv(), ...environment, ...env } })
}
