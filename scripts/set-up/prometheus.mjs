import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { findOnPath, isExecutable } from './executable.mjs'
import { cachePath } from './places.mjs'
import { runStep } from './run-step.mjs'
import { withLock } from './with-lock.mjs'

/**
 * Prometheus and its promtool, for tests: on PATH, in our cache, or unpacked there from Debian's package, which is not
 * installed: that would start it.
 * @returns {Promise<{ prometheus: string, promtool: string }>} their paths
 * @throws {import('./set-up-error.mjs').SetUpError}
 */
export async function obtainPrometheus() {
  return (
    found(findOnPath) ??
    found(unpacked) ??
    (await withLock(cachePath('locks', 'prometheus.lock'), async () => {
      await unpack()
      return { prometheus: unpacked('prometheus'), promtool: unpacked('promtool') }
    }))
  )
}

/** @param {(name: string) => string | undefined} where */
function found(where) {
  const [prometheus, promtool] = ['prometheus', 'promtool'].map(where)
  if (prometheus === undefined || promtool === undefined) return undefined
  return [prometheus, promtool].every(isExecutable) ? { prometheus, promtool } : undefined
}

/** @param {string} name */
function unpacked(name) {
  return cachePath('prometheus-debian', 'usr', 'bin', name)
}

async function unpack() {
  if (found(unpacked) !== undefined) return
  const target = dirname(dirname(dirname(unpacked('prometheus'))))
  const folder = `${target}.new` // ours alone: we hold the lock
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const steps =
    'apt-get update -qq && apt-get download -qq prometheus && dpkg -x prometheus_*.deb .'
  await runStep('fetching Prometheus from Debian’s packages, once', 'sh', ['-c', steps], {
    cwd: folder,
    hint: 'Install Prometheus so that "prometheus" and "promtool" are on PATH: https://prometheus.io/download',
  })
  rmSync(target, { recursive: true, force: true })
  renameSync(folder, target)
}
