import { describe, expect, it } from 'vitest'
import {
  readManifest,
  type ReconciliationManifest,
} from '../../../../src/http/reconciliation/read-manifest.ts'

const endpoint = 'http://127.0.0.1:8000/reconcile'
const read = (manifest: unknown): ReconciliationManifest =>
  readManifest(JSON.stringify(manifest), endpoint)

const full = {
  versions: ['0.2'],
  name: 'Cities',
  identifierSpace: 'http://www.wikidata.org/entity/',
  schemaSpace: 'http://www.wikidata.org/prop/direct/',
  defaultTypes: [{ id: 'Q515', name: 'city' }],
  view: { url: 'https://www.wikidata.org/wiki/{{id}}' },
  batchSize: 50,
}

describe('readManifest', () => {
  it('keeps the version of the service where it names one', () => {
    expect(read({ ...full, serviceVersion: ' 2026-11 ' }).serviceVersion).toBe('2026-11')
    expect(read({ ...full, serviceVersion: 7 }).serviceVersion).toBeNull()
  })

  it('reads a manifest of 0.2 without a warning', () => {
    expect(read(full)).toEqual({
      name: 'Cities',
      versions: ['0.2'],
      serviceVersion: null,
      identifierSpace: full.identifierSpace,
      schemaSpace: full.schemaSpace,
      defaultTypes: full.defaultTypes,
      viewUrl: full.view.url,
      batchSize: 50,
      offersExtension: false,
      authentication: null,
      suggestPropertyUrl: null,
      endpoint,
      warnings: [],
    })
  })

  it('case 12: fills in what is missing and says so', () => {
    const manifest = read({ name: 'Old', defaultTypes: null, view: { url: 'no template' } })
    expect(manifest).toMatchObject({
      versions: ['0.1'],
      identifierSpace: endpoint,
      schemaSpace: endpoint,
      defaultTypes: [],
      viewUrl: null,
      batchSize: null,
    })
    expect(manifest.warnings.join('\n')).toMatch(/identifierSpace[^]*schemaSpace[^]*view/)
  })

  it.each([
    [50, 50],
    ['50', 50],
    [0, null],
    [-1, null],
    [2.5, null],
    ['many', null],
    [null, null],
  ])('reads batchSize %j as %j', (batchSize, expected) => {
    const manifest = read({ ...full, batchSize })
    expect(manifest.batchSize).toBe(expected)
    expect(manifest.warnings).toHaveLength(expected === null ? 1 : 0)
  })

  it('takes a version as text, and any list with 0.1 or 0.2', () => {
    expect(read({ ...full, versions: '0.2' }).versions).toEqual(['0.2'])
    expect(read({ ...full, versions: ['0.1', '1.0-draft'] }).versions).toEqual(['0.1', '1.0-draft'])
  })

  it('reads a manifest of the 1.0 draft, which has no spaces, without a warning', () => {
    const view = { url: 'https://a.example/{+id}' }
    expect(read({ versions: ['1.0-draft'], name: 'New', view })).toMatchObject({
      versions: ['1.0-draft'],
      viewUrl: view.url,
      identifierSpace: endpoint,
      warnings: [],
    })
  })

  it('pauses for a service of an unknown version, saying what is spoken', () => {
    expect(() => read({ versions: ['2.0'], name: 'New', view: { url: '{id}' } })).toThrow(
      expect.objectContaining({
        kind: 'endpoint',
        code: 'unsupported_version',
        message: expect.stringMatching(/version 2\.0.*expected one of 0\.2, 0\.1, 1\.0-draft/),
      }),
    )
  })

  it.each([
    [{ type: 'http', scheme: 'Basic' }, { kind: 'basic' }],
    [{ type: 'basic' }, { kind: 'basic' }],
    [{ type: 'http', scheme: 'bearer' }, { kind: 'bearer' }],
    [{ type: 'oauth2', flows: {} }, { kind: 'bearer' }],
    [{ type: 'openIdConnect', openIdConnectUrl: 'https://a.example' }, { kind: 'bearer' }],
    [
      { type: 'apiKey', in: 'header', name: 'ApiKey' },
      { kind: 'apiKey', in: 'header', name: 'apikey' },
    ],
    [
      { type: 'apiKey', in: 'query', name: 'api_key' },
      { kind: 'apiKey', in: 'query', name: 'api_key' },
    ],
    [
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      { kind: 'apiKey', in: 'cookie', name: 'sid' },
    ],
  ])('reads the authentication %j', (authentication, scheme) => {
    const manifest = read({ ...full, authentication })
    expect(manifest.authentication).toEqual(scheme)
    expect(manifest.warnings).toEqual([])
  })

  it.each([
    { foo: 'bar' },
    { type: 'http', scheme: 'digest' },
    { type: 'apiKey', in: 'body', name: 'key' },
    { type: 'apiKey', in: 'header', name: 'two words' },
    { type: 'apiKey', in: 'header', name: 'Content-Length' },
    { type: 'apiKey', in: 'query' },
    'basic',
  ])('knows no way to give credentials for %j, and says so', (authentication) => {
    const manifest = read({ ...full, authentication })
    expect(manifest.authentication).toBeNull()
    expect(manifest.warnings).toEqual([
      'The manifest has an unknown kind of authentication; asked without credentials.',
    ])
  })

  it.each(['', 'null', '[]', '"x"', '{}', '{"q0":{"result":[]}}', '{"name":"x"}', '<html></html>'])(
    'is no manifest: %s',
    (bodyText) => {
      expect(() => readManifest(bodyText, endpoint)).toThrow(
        expect.objectContaining({ kind: 'endpoint', code: 'bad_manifest' }),
      )
    },
  )
})

it.each([
  [
    'joins both parts',
    { service_url: 'https://a.org/api', service_path: '/suggest' },
    'https://a.org/api/suggest',
  ],
  ['does without a path', { service_url: 'https://a.org/suggest' }, 'https://a.org/suggest'],
  ['leaves out what is no address', { service_path: '/suggest' }, null],
  ['leaves out nonsense', 'yes', null],
])('the address of the property search %s', (_, property, url) => {
  const manifest = { name: 'A', identifierSpace: 'i', schemaSpace: 's', suggest: { property } }
  const read = readManifest(JSON.stringify(manifest), 'https://a.org/')
  expect(read.suggestPropertyUrl).toBe(url)
})
