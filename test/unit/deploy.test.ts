/** The compose file and the image: linted, and of one mind with the program that they start. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createProgram } from '../../src/client/cli.ts'
import { loadConfig, packageRoot, settingNames } from '../../src/config.ts'
import { productVersion } from '../../src/product-version.ts'
import { compose, composeText, filledIn } from '../support/without-docker/compose-file.ts'
import { localService } from '../support/without-docker/local-service.ts'

const run = promisify(execFile)
const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')
const services = Object.entries(compose.services)
const ours = services.filter(([, { build }]) => build !== undefined)
const dockerfile = read('Dockerfile.worker')
/** An `.env` that somebody has filled in. */
const given = {
  POSTGRES_USER: 'record_linker',
  POSTGRES_PASSWORD: 'as-it-was-filled-in',
  RECORD_LINKER_WEB_TOKEN: 'as-it-was-filled-in',
  RECORD_LINKER_CONTACT: 'you@example.org',
}
const HEALTH_PORT = '8081'
const METRICS_PORT = '9464'

it('linters find nothing in them', async () => {
  const bin = (name: string) => join(packageRoot, 'node_modules/.bin', name)
  const options = { cwd: packageRoot }
  const { stdout } = await run(
    bin('dclint'),
    ['--max-warnings', '0', 'docker-compose.yml'],
    options,
  )
  expect(stdout.trim()).toBe('')
  await run(bin('dockerfilelint'), ['Dockerfile.worker'], options)
})

it('every image is pinned, and ours has the version of this program', () => {
  const images = [...services.map(([, { image }]) => image), ...fromOf(dockerfile)]
  expect(images.length).toBeGreaterThan(10)
  expect(images.filter((image) => !/:v?\d+\.\d+/.test(image))).toEqual([])
  expect(new Set(ours.map(([, { image }]) => image))).toEqual(
    new Set([`record-linker:${productVersion}`]),
  )
  expect(ours.map(([name]) => name).toSorted()).toEqual(['migrate', 'web', 'worker'])
})

it('Temporal has the version that tests run on PostgreSQL, which is that of the embedded one', () => {
  const modules = read('scripts/set-up/temporal-on-postgres/go.mod')
  const version = (module: string) => modules.match(new RegExp(`${module} v(\\S+)`))?.[1]
  const embedded = /CLI_VERSION = '(.*)'/.exec(read('scripts/set-up/temporal-server.mjs'))
  expect(version('github.com/temporalio/cli')).toBe(embedded?.[1])
  const pages = version('github.com/temporalio/ui-server/v2') ?? 'none'
  expect(compose.services['temporal-ui']?.image).toBe(`temporalio/ui:${pages}`)
  const server = version('go.temporal.io/server') ?? 'none'
  expect(compose.services['temporal']?.image).toBe(`temporalio/server:${server}`)
  for (const name of ['temporal-schema', 'temporal-namespace']) {
    expect(compose.services[name]?.image).toMatch(`temporalio/admin-tools:${server}-`)
  }
})

it('a service is started on this machine with what its container has, at other addresses', () => {
  const machine = {
    variables: given,
    addresses: { 'postgres:5432': '127.0.0.1:1', 'temporal:7233': '127.0.0.1:2' },
    volumes: mkdtempSync(join(tmpdir(), 'record-linker-volumes-')),
  }
  const worker = localService('worker', machine, { RECORD_LINKER_HEALTH_PORT: '3' })
  expect(worker).toEqual({
    command: ['worker'],
    environment: {
      TEMPORAL_ADDRESS: '127.0.0.1:2',
      TEMPORAL_NAMESPACE: 'default',
      DATABASE_URL: 'postgresql://record_linker:as-it-was-filled-in@127.0.0.1:1/record_linker',
      RECORD_LINKER_CONTACT: 'you@example.org',
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      RECORD_LINKER_HOME: join(machine.volumes, 'record-linker'),
      RECORD_LINKER_HEALTH_PORT: '3',
      RECORD_LINKER_METRICS: '0.0.0.0:9464',
    },
  })
  expect(localService('temporal-schema', machine).command).toEqual([
    '/bin/sh',
    join(packageRoot, 'deploy/temporal/setup-schema.sh'),
  ])
  expect(() => localService('worker', machine, { WORKERS: '3' })).toThrow('does not give WORKERS')
  expect(() => localService('worker', { ...machine, variables: {} })).toThrow(/asks for \w+/)
  rmSync(machine.volumes, { recursive: true })
})

it('our services are started with commands, flags and settings that there are', () => {
  for (const [name, { command = [], environment = {} }] of ours) {
    const [verb = '', ...words] = command
    const known = createProgram().commands.find((one) => one.name() === verb)
    expect([name, known?.name()]).toEqual([name, verb])
    const flags = known?.options.map(({ long }) => long)
    for (const flag of words.filter((word) => word.startsWith('--'))) expect(flags).toContain(flag)
    const settings = Object.keys(environment)
    expect(settings.filter((one) => !settingNames.some((setting) => setting === one))).toEqual([])
    const values = Object.entries(environment).map(([key, value]) => [key, filledIn(value, given)])
    expect(() => loadConfig(Object.fromEntries(values))).not.toThrow()
  }
})

it('every variable is in the example, and every line of the example is used', () => {
  const used = new Set([...composeText.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name))
  const lines = read('deploy/example.env').match(/^\w+(?==)/gm) ?? []
  expect(lines.toSorted()).toEqual([...used].toSorted())
})

it('ports and files of one are those of the other', () => {
  const worker = compose.services['worker']?.environment ?? {}
  expect(worker['RECORD_LINKER_HEALTH_PORT']).toBe(HEALTH_PORT)
  expect(worker['RECORD_LINKER_METRICS']).toBe(`0.0.0.0:${METRICS_PORT}`)
  expect(read('deploy/prometheus/prometheus.yml')).toContain(`port: ${METRICS_PORT}`)
  const [datasource = ''] = /url: \S+/.exec(
    read('deploy/grafana/provisioning/datasources/prometheus.yml'),
  ) ?? ['']
  expect(datasource).toBe(`url: http://prometheus:${insidePort('prometheus')}`)
  expect(insidePort('web')).toBe(wordAfter(compose.services['web']?.command, '--port'))
  expect(dockerfile).toContain(`EXPOSE ${HEALTH_PORT} ${METRICS_PORT} 8533`)
  expect(read('scripts/health.mjs')).toContain(`'${HEALTH_PORT}'`)
  const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((one) => one.split(':')))
  const folders = mounts.flatMap(([from = '']) => (from.startsWith('./') ? [from] : []))
  expect(folders.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([])
  const named = mounts.flatMap(([from = '']) => (from.startsWith('./') ? [] : [from]))
  expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)))
  // Nothing but this machine may reach them before somebody decides so.
  const ports = services.flatMap(([, one]) => one.ports ?? [])
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  const provider = read('deploy/grafana/provisioning/dashboards/record-linker.yml')
  expect(mounts.map(([, to]) => to)).toContain(/path: (\S+)/.exec(provider)?.[1])
})

it('what is compiled in the image is found again there', () => {
  // By the times of the sources, of which a layer keeps whole seconds.
  const [, seconds, compile] =
    /^COPY src src\n(?:#.*\n)*RUN find src -exec touch -d (\S+) \{\} \+ && (.*)$/m.exec(
      dockerfile,
    ) ?? []
  expect(seconds).toMatch(/^[\d-]+T\d\d:\d\d:\d\dZ$/)
  expect(compile).toBe('node scripts/run.mjs --version')
  const places = [...dockerfile.matchAll(/^WORKDIR (.*)$/gm)].map(([, place]) => place)
  expect(places).toEqual(['/app', '/app'])
})

it('a worker has time to end, and is nobody of importance', () => {
  const graceSeconds = loadConfig({}).graceMs / 1_000
  const given = Number.parseInt(compose.services['worker']?.stop_grace_period ?? '', 10)
  expect(given).toBeGreaterThanOrEqual(graceSeconds + 25)
  const [, last = ''] = dockerfile.split(/^FROM .*$/m).slice(-2)
  expect(last).toContain('USER node')
  expect(last).toContain('STOPSIGNAL SIGTERM')
  expect(last).toMatch(/HEALTHCHECK .*CMD \["node", "scripts\/health.mjs"\]/)
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  const allowed = read('.dockerignore')
  for (const path of copied) {
    expect([path, existsSync(join(packageRoot, path))]).toEqual([path, true])
    expect(allowed).toContain(`!${path}\n`)
  }
})

/** Of a container. */
function insidePort(service: string): string | undefined {
  return compose.services[service]?.ports?.[0]?.split(':').at(-1)
}

function wordAfter(words: readonly string[] = [], flag: string): string | undefined {
  return words[words.indexOf(flag) + 1]
}

function fromOf(text: string): readonly string[] {
  return [...text.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
}
