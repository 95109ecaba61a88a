import { isAbsolute } from 'node:path'
import { expect, it } from 'vitest'
import { configEnv, loadConfig, maskPassword, packageRoot } from '../../../src/config.ts'

it('needs nothing: servers are embedded, and their home lies in the package, wherever we are', () => {
  const config = loadConfig({})
  expect(config).toMatchObject({
    temporalAddress: undefined,
    temporalNamespace: 'default',
    databaseUrl: undefined,
    contact: undefined,
    home: `${packageRoot}.record-linker`,
    idleMinutes: 15,
    wikidataUrl: 'https://www.wikidata.org/w/api.php',
    wikidataToken: undefined,
    logLevel: 'info',
  })
  expect(isAbsolute(config.home)).toBe(true)
  expect(new Set(Object.values(config.sources))).toEqual(new Set(['default']))
})

it('takes an empty value for one that is not set, and says where each came from', () => {
  const config = loadConfig({ DATABASE_URL: '', TEMPORAL_ADDRESS: '127.0.0.1:7233' })
  expect(config.databaseUrl).toBeUndefined()
  expect(config.sources.DATABASE_URL).toBe('default')
  expect(config.sources.TEMPORAL_ADDRESS).toBe('environment')
})

it.each(['someone@example.org', 'https://example.org/bot', 'http://example.org'])(
  'takes %s for a contact',
  (contact) => expect(loadConfig({ RECORD_LINKER_CONTACT: contact }).contact).toBe(contact),
)

it('lists all violations at once, each with what was expected', () => {
  const wrong = {
    TEMPORAL_ADDRESS: 'localhost',
    DATABASE_URL: 'mysql://host/db',
    RECORD_LINKER_CONTACT: 'me',
    RECORD_LINKER_CREDENTIALS: 'no json',
    RECORD_LINKER_HOME: 'a/relative/path',
    RECORD_LINKER_IDLE_MINUTES: '0',
    RECORD_LINKER_WIKIDATA_URL: 'wikidata',
    RECORD_LINKER_WIKIDATA_TOKEN: 'two words',
    RECORD_LINKER_ACTIVITIES: '0',
    RECORD_LINKER_POLLERS: '1',
    RECORD_LINKER_DB_CONNECTIONS: '1.5',
    RECORD_LINKER_GRACE_SECONDS: 'long',
    RECORD_LINKER_HEALTH_PORT: '65536',
    RECORD_LINKER_HEALTH_HOST: 'http://x/',
    RECORD_LINKER_LOG_LEVEL: 'loud',
  }
  for (const name of Object.keys(wrong)) {
    expect(() => loadConfig(wrong)).toThrow(`${name}: expected `)
  }
  expect(() => loadConfig(wrong)).toThrow(expect.objectContaining({ code: 'bad_settings' }))
})

it('hands the same settings to a child process through its environment', () => {
  const config = loadConfig({
    TEMPORAL_NAMESPACE: 'mine',
    DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/d',
    RECORD_LINKER_CREDENTIALS: '{"https://Service.example.org:443/": "kim:secret"}',
    RECORD_LINKER_IDLE_MINUTES: '0.5',
    RECORD_LINKER_WIKIDATA_URL: 'http://127.0.0.1:1/api.php',
    RECORD_LINKER_WIKIDATA_TOKEN: 'secret',
    RECORD_LINKER_ACTIVITIES: '7',
    RECORD_LINKER_POLLERS: 'auto',
    RECORD_LINKER_DB_CONNECTIONS: '3',
    RECORD_LINKER_GRACE_SECONDS: '0.5',
    RECORD_LINKER_HEALTH_PORT: '8081',
    RECORD_LINKER_HEALTH_HOST: '0.0.0.0',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  })
  expect(config.credentials).toEqual({ 'service.example.org': 'kim:secret' })
  expect({ ...loadConfig(configEnv(config)), sources: {} }).toEqual({ ...config, sources: {} })
})

it.each(['collector:4318', 'grpc://collector:4317', 'https://kim:s3cret@collector.example'])(
  'sends traces to no %s, and repeats no password',
  (OTEL_EXPORTER_OTLP_ENDPOINT) => {
    const load = () => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT })
    expect(load).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT: expected/)
    expect(load).not.toThrow(/s3cret/)
  },
)

it.each([
  's3cret',
  '["s3cret"]',
  '{"a.example": 3, "b": "s3cret"}',
  '{"a..b": "s3cret"}',
  '{"a": "s3cret\\n"}',
])('refuses the credentials %s without repeating them', (credentials) => {
  const load = () => loadConfig({ RECORD_LINKER_CREDENTIALS: credentials })
  expect(load).toThrow('RECORD_LINKER_CREDENTIALS: expected JSON like {"')
  expect(load).not.toThrow('s3cret')
})

it.each([
  ['postgresql://u:se%40cret@host:5432/db', 'postgresql://u:***@host:5432/db'],
  ['postgresql://host/db', 'postgresql://host/db'],
])('masks the password of %s', (url, masked) => expect(maskPassword(url)).toBe(masked))
