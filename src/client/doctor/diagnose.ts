/** Everything that must work before a match can, looked at without starting or changing anything. */
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { findStack } from '../stack/find-stack.ts'
import { failed, noted, passed, type Check } from './check.ts'
import { checkDatabase } from './database-checks.ts'
import { checkContact, checkNode, checkNodeModules } from './local-checks.ts'
import { checkTemporal } from './temporal-checks.ts'

const ANSWER_LIMIT_MS = 5000

/** @returns the checks in the order in which to repair them. */
export async function diagnose(config: Config): Promise<readonly Check[]> {
  return [checkNode(), checkNodeModules(), ...(await checkServers(config)), checkContact(config)]
}

async function checkServers(config: Config): Promise<readonly Check[]> {
  const { temporalAddress, temporalNamespace, databaseUrl } = config
  if (temporalAddress && databaseUrl) {
    return [
      passed('Servers', 'external', 'TEMPORAL_ADDRESS and DATABASE_URL are set'),
      ...(await checkBoth(databaseUrl, temporalAddress, temporalNamespace)),
    ]
  }
  const expected = `running for ${config.home}`
  const stack = await findStack(config)
  if (stack === undefined) {
    const actual = 'not running; the next command that needs them starts them'
    return [noted('Servers', expected, actual, './record-linker up --background')]
  }
  if (stack === 'starting') {
    return [failed('Servers', expected, 'starting', 'Wait some seconds, then look again.')]
  }
  return [
    passed('Servers', expected, stack.webUiUrl ? `running, Web UI ${stack.webUiUrl}` : 'running'),
    ...(await checkBoth(stack.databaseUrl, stack.temporalAddress, stack.temporalNamespace)),
    ...(stack.sampleServiceUrl ? [await checkService(stack.sampleServiceUrl)] : []),
  ]
}

/** At the same time: one that does not answer takes its time. */
async function checkBoth(
  databaseUrl: string,
  temporalAddress: string,
  namespace: string,
): Promise<readonly Check[]> {
  const both = [checkDatabase(databaseUrl), checkTemporal(temporalAddress, namespace)]
  return (await Promise.all(both)).flat()
}

/** Whether a reconciliation service answers with a manifest. */
async function checkService(url: string): Promise<Check> {
  const expected = `a reconciliation service at ${url}`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
    const manifest = z.object({ name: z.string() }).parse(await answer.json())
    return passed('Sample service', expected, manifest.name)
  } catch (error) {
    const fix = './record-linker down, then ./record-linker up --background'
    return failed('Sample service', expected, String(error), fix)
  }
}
