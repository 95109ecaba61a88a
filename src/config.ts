/** Everything the environment can say, checked once; the only place that reads it. */
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { credentialsText, readCredentials } from './credentials.ts'
import { UsageError } from './errors.ts'
import { temporalProfile } from './temporal-profile.ts'

/** Folder of package.json, from `src/` and from the compiled `dist/KEY/` alike. */
export const packageRoot = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url),
)

const hostAndPort = /^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/
/** The SDK wants two at least where it remembers workflows. */
export const pollersText = /^(?:auto|100|[2-9]|[1-9]\d)$/
/** The SDK binds addresses, no names. */
export const metricsPlace = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\]):[1-9]\d{0,4}$/i
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

const schema = z.object({
  TEMPORAL_ADDRESS: z
    .string()
    .regex(hostAndPort, 'expected host:port, like 127.0.0.1:7233')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_PROFILE: z.string().optional(),
  TEMPORAL_CONFIG_FILE: z
    .string()
    .refine(isAbsolute, 'expected an absolute path: it must not depend on the current folder')
    .optional(),
  DATABASE_URL: z
    .string()
    .refine(isPostgresUrl, 'expected postgresql://user:password@host:port/database')
    .optional(),
  RECORD_LINKER_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], {
      error: 'expected an e-mail address, or a page that starts with https://',
    })
    .optional(),
  RECORD_LINKER_CREDENTIALS: z.string().transform(readCredentials).default({}),
  RECORD_LINKER_HOME: z
    .string()
    .refine(isAbsolute, 'expected an absolute path: it must not depend on the current folder')
    .default(`${packageRoot}.record-linker`),
  RECORD_LINKER_LIMITS: z
    .string()
    .refine(isAbsolute, 'expected an absolute path: it must not depend on the current folder')
    .optional(),
  RECORD_LINKER_WIKIDATA_URL: z
    .url({ protocol: /^https?$/, error: 'expected the address of an api.php' })
    .default('https://www.wikidata.org/w/api.php'),
  RECORD_LINKER_WIKIDATA_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected an OAuth 2 access token, without spaces')
    .optional(),
  RECORD_LINKER_WEB_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'expected at least 16 characters, without spaces')
    .optional(),
  RECORD_LINKER_IDLE_MINUTES: z.coerce
    .number('expected a number of minutes, like 15')
    .positive('expected more than 0 minutes')
    .default(15),
  RECORD_LINKER_END_COMMANDS: z.enum(['on', 'off'], { error: 'expected on or off' }).optional(),
  RECORD_LINKER_ACTIVITIES: z.coerce
    .number('expected a whole number, like 40')
    .int('expected a whole number')
    .min(1, 'expected 1 to 1000')
    .max(1_000, 'expected 1 to 1000')
    .default(40),
  RECORD_LINKER_POLLERS: z
    .string()
    .regex(pollersText, 'expected auto, or a whole number from 2 to 100')
    .default('10'),
  RECORD_LINKER_DB_CONNECTIONS: z.coerce
    .number('expected a whole number, like 10')
    .int('expected a whole number')
    .min(2, 'expected 2 to 200')
    .max(200, 'expected 2 to 200')
    .default(10),
  RECORD_LINKER_GRACE_SECONDS: z.coerce
    .number('expected a number of seconds, like 5')
    .min(0, 'expected 0 to 600 seconds')
    .max(600, 'expected 0 to 600 seconds')
    .default(5),
  RECORD_LINKER_HEALTH_PORT: z.coerce
    .number('expected a port, like 8081')
    .int('expected a port')
    .min(0, 'expected a port, 0 to 65535')
    .max(65_535, 'expected a port, 0 to 65535')
    .optional(),
  RECORD_LINKER_HEALTH_HOST: z
    .string()
    .regex(/^[^\s/]+$/, 'expected an address of this machine, like 127.0.0.1')
    .default('127.0.0.1'),
  RECORD_LINKER_METRICS: z
    .string()
    .regex(metricsPlace, 'expected an address and a port of this machine, like 127.0.0.1:9464')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'expected an address, like http://127.0.0.1:4318' })
    .refine(isWithoutSecret, 'expected no password in it: OTEL_EXPORTER_OTLP_HEADERS is for that')
    .optional(),
  RECORD_LINKER_LOG_LEVEL: z
    .enum(logLevels, { error: `expected one of ${logLevels.join(', ')}` })
    .default('info'),
})

export type LogLevel = (typeof logLevels)[number]

/** Name of the environment variable that sets a value. */
export type SettingName = keyof typeof schema.shape

/** All of them, in the order in which they are shown. */
export const settingNames: readonly SettingName[] = schema.keyof().options

export interface Config {
  /** host:port; undefined: embedded. */
  readonly temporalAddress: string | undefined
  readonly temporalNamespace: string
  /** Name in Temporal's configuration file (`temporal-profile.ts`). */
  readonly temporalProfile: string | undefined
  /** Absolute path of that file. */
  readonly temporalConfigFile: string | undefined
  /** undefined: embedded. */
  readonly databaseUrl: string | undefined
  /** Who runs this, for the User-Agent; no host but loopback is called without. */
  readonly contact: string | undefined
  /** Secrets by host, `domainKey` of it: sent to that host only, as its manifest wants them. */
  readonly credentials: Readonly<Record<string, string>>
  /** Absolute path. */
  readonly home: string
  /** Absolute path of a file that must exist; undefined: `limits.json` in the home, if it is there. */
  readonly limitsFile: string | undefined
  /** Action API that the service `wikidata` is. */
  readonly wikidataUrl: string
  /** OAuth 2 access token for it. Secret. */
  readonly wikidataToken: string | undefined
  /** That `serve` asks for. Secret. */
  readonly webToken: string | undefined
  /** Minutes, above 0; default 15. */
  readonly idleMinutes: number
  /** undefined: only the worker of the embedded servers runs commands. */
  readonly endCommands: boolean | undefined
  /** Activities in flight in one worker process; default 40. */
  readonly activities: number
  /** Requests for work that one worker process keeps open at Temporal, of each kind: `auto`, or a number; default 10. */
  readonly pollers: string
  /** Most connections of one worker process to Postgres; default 10. */
  readonly dbConnections: number
  /** What is on its way has so long to arrive after a worker was told to stop, ms; default 5,000. */
  readonly graceMs: number
  /** Where a worker answers `/healthz` and `/readyz`, 0 a free one; undefined: nowhere. */
  readonly healthPort: number | undefined
  readonly healthHost: string
  /** host:port where a worker answers `/metrics`; undefined: nowhere. */
  readonly metricsAddress: string | undefined
  /** Who takes traces of workers, by OTLP over HTTP; undefined: nobody. */
  readonly tracesEndpoint: string | undefined
  readonly logLevel: LogLevel
  /** Where each value came from. */
  readonly sources: Readonly<Record<SettingName, 'environment' | 'default'>>
}

/**
 * @param env usually `process.env`; an empty value counts as not set.
 * @throws UsageError `bad_settings` that lists every violation, `bad_temporal_profile`
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const profile = temporalProfile(env)
  const fromProfile = {
    ...(profile.address === undefined ? {} : { TEMPORAL_ADDRESS: profile.address }),
    ...(profile.namespace === undefined ? {} : { TEMPORAL_NAMESPACE: profile.namespace }),
  }
  const set = Object.entries(env).filter(([name, value]) => name in schema.shape && value !== '')
  const given = { ...fromProfile, ...Object.fromEntries(set) }
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw badSettings(parsed.error)
  const values = parsed.data
  return {
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    temporalProfile: values.TEMPORAL_PROFILE,
    temporalConfigFile: values.TEMPORAL_CONFIG_FILE,
    databaseUrl: values.DATABASE_URL,
    contact: values.RECORD_LINKER_CONTACT,
    credentials: values.RECORD_LINKER_CREDENTIALS,
    home: values.RECORD_LINKER_HOME,
    limitsFile: values.RECORD_LINKER_LIMITS,
    wikidataUrl: values.RECORD_LINKER_WIKIDATA_URL,
    wikidataToken: values.RECORD_LINKER_WIKIDATA_TOKEN,
    webToken: values.RECORD_LINKER_WEB_TOKEN,
    idleMinutes: values.RECORD_LINKER_IDLE_MINUTES,
    endCommands:
      values.RECORD_LINKER_END_COMMANDS === undefined
        ? undefined
        : values.RECORD_LINKER_END_COMMANDS === 'on',
    activities: values.RECORD_LINKER_ACTIVITIES,
    pollers: values.RECORD_LINKER_POLLERS,
    dbConnections: values.RECORD_LINKER_DB_CONNECTIONS,
    graceMs: values.RECORD_LINKER_GRACE_SECONDS * 1_000,
    healthPort: values.RECORD_LINKER_HEALTH_PORT,
    healthHost: values.RECORD_LINKER_HEALTH_HOST,
    metricsAddress: values.RECORD_LINKER_METRICS,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: values.RECORD_LINKER_LOG_LEVEL,
    sources: sourcesOf(given),
  }
}

/** The environment from which a child process loads the same settings. */
export function configEnv(config: Config): Readonly<Record<SettingName, string | undefined>> {
  return {
    TEMPORAL_ADDRESS: config.temporalAddress,
    TEMPORAL_NAMESPACE: config.temporalNamespace,
    TEMPORAL_PROFILE: config.temporalProfile,
    TEMPORAL_CONFIG_FILE: config.temporalConfigFile,
    DATABASE_URL: config.databaseUrl,
    RECORD_LINKER_CONTACT: config.contact,
    RECORD_LINKER_CREDENTIALS: credentialsText(config.credentials),
    RECORD_LINKER_HOME: config.home,
    RECORD_LINKER_LIMITS: config.limitsFile,
    RECORD_LINKER_WIKIDATA_URL: config.wikidataUrl,
    RECORD_LINKER_WIKIDATA_TOKEN: config.wikidataToken,
    RECORD_LINKER_WEB_TOKEN: config.webToken,
    RECORD_LINKER_IDLE_MINUTES: String(config.idleMinutes),
    RECORD_LINKER_END_COMMANDS:
      config.endCommands === undefined ? undefined : config.endCommands ? 'on' : 'off',
    RECORD_LINKER_ACTIVITIES: String(config.activities),
    RECORD_LINKER_POLLERS: config.pollers,
    RECORD_LINKER_DB_CONNECTIONS: String(config.dbConnections),
    RECORD_LINKER_GRACE_SECONDS: String(config.graceMs / 1_000),
    RECORD_LINKER_HEALTH_PORT: config.healthPort === undefined ? undefined : `${config.healthPort}`,
    RECORD_LINKER_HEALTH_HOST: config.healthHost,
    RECORD_LINKER_METRICS: config.metricsAddress,
    OTEL_EXPORTER_OTLP_ENDPOINT: config.tracesEndpoint,
    RECORD_LINKER_LOG_LEVEL: config.logLevel,
  }
}

/** A database URL that can be shown: its password replaced by `***`. */
export function maskPassword(url: string): string {
  const parts = new URL(url)
  if (parts.password !== '') parts.password = '***'
  return parts.href
}

function sourcesOf(given: Readonly<Record<string, unknown>>): Config['sources'] {
  const source = (name: SettingName) => (name in given ? 'environment' : 'default')
  return {
    TEMPORAL_ADDRESS: source('TEMPORAL_ADDRESS'),
    TEMPORAL_NAMESPACE: source('TEMPORAL_NAMESPACE'),
    TEMPORAL_PROFILE: source('TEMPORAL_PROFILE'),
    TEMPORAL_CONFIG_FILE: source('TEMPORAL_CONFIG_FILE'),
    DATABASE_URL: source('DATABASE_URL'),
    RECORD_LINKER_CONTACT: source('RECORD_LINKER_CONTACT'),
    RECORD_LINKER_CREDENTIALS: source('RECORD_LINKER_CREDENTIALS'),
    RECORD_LINKER_HOME: source('RECORD_LINKER_HOME'),
    RECORD_LINKER_LIMITS: source('RECORD_LINKER_LIMITS'),
    RECORD_LINKER_WIKIDATA_URL: source('RECORD_LINKER_WIKIDATA_URL'),
    RECORD_LINKER_WIKIDATA_TOKEN: source('RECORD_LINKER_WIKIDATA_TOKEN'),
    RECORD_LINKER_WEB_TOKEN: source('RECORD_LINKER_WEB_TOKEN'),
    RECORD_LINKER_IDLE_MINUTES: source('RECORD_LINKER_IDLE_MINUTES'),
    RECORD_LINKER_END_COMMANDS: source('RECORD_LINKER_END_COMMANDS'),
    RECORD_LINKER_ACTIVITIES: source('RECORD_LINKER_ACTIVITIES'),
    RECORD_LINKER_POLLERS: source('RECORD_LINKER_POLLERS'),
    RECORD_LINKER_DB_CONNECTIONS: source('RECORD_LINKER_DB_CONNECTIONS'),
    RECORD_LINKER_GRACE_SECONDS: source('RECORD_LINKER_GRACE_SECONDS'),
    RECORD_LINKER_HEALTH_PORT: source('RECORD_LINKER_HEALTH_PORT'),
    RECORD_LINKER_HEALTH_HOST: source('RECORD_LINKER_HEALTH_HOST'),
    RECORD_LINKER_METRICS: source('RECORD_LINKER_METRICS'),
    OTEL_EXPORTER_OTLP_ENDPOINT: source('OTEL_EXPORTER_OTLP_ENDPOINT'),
    RECORD_LINKER_LOG_LEVEL: source('RECORD_LINKER_LOG_LEVEL'),
  }
}

function badSettings(error: z.ZodError): UsageError {
  const lines = error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
  return new UsageError({
    code: 'bad_settings',
    message: `Environment not understood: ${lines.join('; ')}.`,
    hint: 'Correct or unset these variables; "./record-linker config" shows all of them.',
  })
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
}

function isWithoutSecret(text: string): boolean {
  if (!URL.canParse(text)) return true // It is said already.
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
