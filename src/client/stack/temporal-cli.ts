import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packageRoot } from '../../config.ts'
import { UnavailableError } from '../../errors.ts'

/**
 * Finds or obtains the Temporal CLI through the set-up script, whose progress goes to stderr.
 * @returns its path
 */
export async function obtainTemporalCli(): Promise<string> {
  const script = join(packageRoot, 'scripts/obtain-server.mjs')
  const child = spawn(process.execPath, [script, 'temporal'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [path, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code === 0) return path.trim()
  throw new UnavailableError({
    code: 'no_temporal_server',
    message: 'There is no Temporal dev server on this machine; see above.',
    hint: 'Or set TEMPORAL_ADDRESS to a Temporal server of your own.',
  })
}
