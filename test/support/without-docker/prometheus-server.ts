/** A real Prometheus with the configuration that is shipped, on loopback. */
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { anyFreePort } from '../../../src/client/stack/free-port.ts'
import { markProcess } from '../../../src/client/stack/process-identity.mjs'
import { packageRoot } from '../../../src/config.ts'
import type { Guardian } from '../start-guardian.ts'
import { composeService } from './compose-file.ts'

export interface PrometheusServer {
  /** The answer of its API, such as for `query?query=up`. */
  readonly ask: (path: string) => Promise<PrometheusAnswer>
}

export interface PrometheusAnswer {
  readonly data: {
    readonly result?: readonly PrometheusSeries[]
    /** Of `status/buildinfo`. */
    readonly version?: string
  }
}

export interface PrometheusSeries {
  readonly metric: Readonly<Record<string, string>>
  /** Time, s, and value. */
  readonly value: readonly [number, string]
}

export const shippedPrometheus = join(packageRoot, 'deploy/prometheus')

export interface PrometheusOptions {
  /** Path of the program. */
  readonly program: string
  /** For configuration and data. */
  readonly folder: string
  /** Metrics of workers, `127.0.0.1:9464`, in place of those that a name leads to. */
  readonly targets: readonly string[]
}

export async function startPrometheus(
  guardian: Guardian,
  { program, folder, targets }: PrometheusOptions,
): Promise<PrometheusServer> {
  const config = join(folder, 'config')
  cpSync(shippedPrometheus, config, { recursive: true })
  const text = readFileSync(join(config, 'prometheus.yml'), 'utf8')
  const here = text
    .replaceAll(/(scrape|evaluation)_interval: 15s/g, '$1_interval: 1s')
    .replace(/dns_sd_configs:[^]*/, `static_configs: [{ targets: ${JSON.stringify(targets)} }]\n`)
  if (!here.includes('static_configs')) throw new Error(`expected targets by name in:\n${text}`)
  writeFileSync(join(config, 'prometheus.yml'), here)
  const address = `127.0.0.1:${await anyFreePort()}`
  const child = spawn(
    program,
    [
      ...flagsOf(config),
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { detached: true, stdio: 'ignore' },
  )
  guardian.guardProcess(markProcess(child.pid ?? 0), 'SIGKILL')
  return {
    async ask(path) {
      const response = await fetch(`http://${address}/api/v1/${path}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API of Prometheus
      return (await response.json()) as PrometheusAnswer
    },
  }
}

/** Those of docker-compose.yml, with the configuration in another folder. */
function flagsOf(config: string): readonly string[] {
  const { command = [], volumes = [] } = composeService('prometheus')
  const mount = volumes.find((volume) => volume.startsWith('./deploy/prometheus:'))
  const [, inside = ''] = mount?.split(':') ?? []
  return command.map((flag) => flag.replace(`=${inside}/`, `=${config}/`))
}
