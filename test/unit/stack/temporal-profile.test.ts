/** A profile of Temporal's configuration file in the place of addresses and keys in the environment. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { configEnv, loadConfig } from '../../../src/config.ts'
import { temporalProfile } from '../../../src/temporal-profile.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-linker-profile-'))
const TEMPORAL_CONFIG_FILE = join(folder, 'temporal.toml')
writeFileSync(
  TEMPORAL_CONFIG_FILE,
  `[profile.default]
address = "default.example.org:7233"

[profile.cloud]
address = "cloud.example.org:7233"
namespace = "linker.a1b2c"
api_key = "secret"
[profile.cloud.tls]
server_name = "cloud.example.org"
`,
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('says where the server is and how it is spoken to; what the environment says stands above it', () => {
  const env = { TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: 'cloud' }
  const config = loadConfig(env)
  expect(config).toMatchObject({
    temporalAddress: 'cloud.example.org:7233',
    temporalNamespace: 'linker.a1b2c',
  })
  expect(temporalProfile(env).options).toMatchObject({
    apiKey: 'secret',
    tls: { serverNameOverride: 'cloud.example.org' },
  })
  expect(loadConfig({ ...env, TEMPORAL_NAMESPACE: 'other' }).temporalNamespace).toBe('other')
  // The programs that are started read it too, and nothing shows the key.
  expect(configEnv(config)).toMatchObject(env)
  expect(JSON.stringify(configEnv(config))).not.toContain('secret')
})

it('is the default one where only the file is named, and none where nothing is', () => {
  expect(loadConfig({ TEMPORAL_CONFIG_FILE }).temporalAddress).toBe('default.example.org:7233')
  expect(temporalProfile({}).options).toEqual({})
})

it('is refused with what was found when there is none of that name', () => {
  const load = () => loadConfig({ TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: 'moon' })
  expect(load).toThrow(expect.objectContaining({ code: 'bad_temporal_profile' }))
  expect(load).toThrow(/"moon" of .*temporal\.toml/)
})
