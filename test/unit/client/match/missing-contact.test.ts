import { expect, it } from 'vitest'
import { missingContact } from '../../../../src/client/match/missing-contact.ts'
import { loadConfig } from '../../../../src/config.ts'
import { type ProjectSettings, thresholdsByKind } from '../../../../src/core/project-settings.ts'

const settings: ProjectSettings = {
  service: 'wikidata',
  kind: 'generic',
  languages: ['en'],
  types: [],
  limit: 10,
  thresholds: thresholdsByKind.generic,
  mapping: { name: 'name', variants: [], properties: [] },
}
const embedded = { webUiUrl: 'http://127.0.0.1:8633', sampleServiceUrl: 'http://127.0.0.1:8640/' }

function refusal(
  service: string,
  env: Readonly<Record<string, string>> = {},
  stack: { webUiUrl: string | undefined; sampleServiceUrl: string } = embedded,
) {
  const context = { config: loadConfig(env), stack }
  return missingContact(context, { id: 7, settings: { ...settings, service } })
}

it.each([
  ['wikidata', 'www.wikidata.org'],
  ['https://service.example.org/api', 'service.example.org'],
])('case 25: %s is not asked without a contact, and the reason names its host', (service, host) =>
  expect(refusal(service)).toMatchObject({
    code: 'contact_required',
    message: expect.stringContaining(`asks ${host}`) as string,
  }),
)

it('nothing is missing with a contact, on this machine, or where the worker is somebody else’s', () => {
  const contact = { RECORD_LINKER_CONTACT: 'me@example.org' }
  const local = { RECORD_LINKER_WIKIDATA_URL: 'http://127.0.0.1:9000/w/api.php' }
  expect([
    refusal('wikidata', contact),
    refusal('wikidata', local),
    refusal('sample'),
    refusal('wikidata', {}, { ...embedded, webUiUrl: undefined }),
  ]).toEqual([null, null, null, null])
})
