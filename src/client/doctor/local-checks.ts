import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot, type Config } from '../../config.ts'
import { failed, passed, type Check } from './check.ts'

const OLDEST_NODE = { major: 20, minor: 19 }

export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const expected = `${OLDEST_NODE.major}.${OLDEST_NODE.minor} or newer`
  const fits =
    major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor)
  return fits
    ? passed('Node', expected, version)
    : failed('Node', expected, version, 'Install a current Node.')
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optional: z.boolean().optional() }),
  ),
})

/** Compares npm's own record of what it installed with the lock file. */
export function checkNodeModules(root: string = packageRoot): Check {
  const expected = 'as package-lock.json says'
  const fix = 'Delete node_modules; the next command installs them again.'
  try {
    const wanted = readLock(join(root, 'package-lock.json'))
    const installed = readLock(join(root, 'node_modules/.package-lock.json'))
    const wrong = Object.entries(wanted).filter(
      ([path, { version, optional }]) =>
        path !== '' && optional !== true && installed[path]?.version !== version,
    )
    if (wrong.length === 0) {
      return passed('Node modules', expected, `${Object.keys(installed).length} packages`)
    }
    const example = wrong[0]?.[0].replace(/^.*node_modules\//, '')
    return failed('Node modules', expected, `${wrong.length} differ, e.g. ${example}`, fix)
  } catch (error) {
    return failed('Node modules', expected, String(error), fix)
  }
}

export function checkContact(config: Config): Check {
  const expected = 'an e-mail address or page of yours'
  if (config.contact) return passed('Contact', expected, config.contact)
  return {
    name: 'Contact',
    state: 'note',
    expected,
    actual: 'not set; only services on this machine are called',
    fix: 'export RECORD_LINKER_CONTACT=you@example.org, then ./record-linker down, before matching against Wikidata or other services.',
  }
}

function readLock(file: string): z.infer<typeof lockSchema>['packages'] {
  return lockSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).packages
}
