import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/config.ts'

/**
 * What a folder of src may import (DESIGN §7), separated by spaces. `foo/` is a folder of src, `foo.ts` a file
 * of it, `node:` everything of node, the rest are packages.
 */
interface Border {
  readonly imports: string
  /** On top of `imports`, with `import type` only. */
  readonly types?: string
}

const product =
  'errors.ts file-trouble.ts config.ts setting-texts.ts credentials.ts log.ts product-version.ts temporal-profile.ts'

const borders: Readonly<Record<string, Border>> = {
  'core/': { imports: 'fastest-levenshtein any-ascii http-cache-semantics ipaddr.js tldts' },
  'workflows/': {
    imports: 'core/ @temporalio/workflow @temporalio/common',
    types: 'activities/',
  },
  'activities/': {
    imports:
      'core/ http/ limiter/ db/ store/ workflows/messages.ts errors.ts log.ts @temporalio/activity @temporalio/common zod node:',
  },
  'http/': {
    imports: 'core/ errors.ts content-disposition file-type structured-headers undici zod node:',
  },
  'limiter/': {
    imports: 'core/ workflows/messages.ts errors.ts @temporalio/client node:',
    types: 'log.ts workflows/',
  },
  'db/': { imports: 'core/ errors.ts kysely pg pg-copy-streams node:' },
  'store/': { imports: 'core/ db/ errors.ts @aws-sdk/client-s3 node:' },
  'kb/': { imports: 'core/ errors.ts file-trouble.ts hono @hono/node-server zod any-ascii node:' },
  'source/': {
    imports: 'core/ kb/listen-for-json.ts kb/read-form.ts kb/service-error.ts errors.ts hono node:',
  },
  'tabular/': { imports: 'core/ errors.ts file-trouble.ts csv-parse csv-stringify numfmt node:' },
  'workers/': {
    imports: `activities/ core/ db/ store/ http/ limiter/ workflows/ client/ ${product} @temporalio/worker @temporalio/client @temporalio/common @opentelemetry hono @hono/node-server kysely node:`,
  },
  'client/': {
    imports: `core/ db/ store/ kb/ source/ tabular/ http/ limiter/ workers/ workflows/ web/serve-web.ts ${product} @temporalio/client @temporalio/common @temporalio/proto pg zod commander cli-table3 picocolors csv-stringify fastest-levenshtein node:`,
  },
  'web/': {
    imports: `core/ db/ client/ http/loopback.ts ${product} hono @hono/node-server @fastify/busboy zod node:`,
    types: '@temporalio/client',
  },
  'config.ts': { imports: 'credentials.ts errors.ts temporal-profile.ts zod node:' },
  'setting-texts.ts': { imports: '', types: 'config.ts' },
  'credentials.ts': { imports: 'core/ zod' },
  'errors.ts': { imports: '' },
  'file-trouble.ts': { imports: 'errors.ts' },
  'log.ts': { imports: 'errors.ts pino', types: 'config.ts' },
  'product-version.ts': { imports: 'config.ts zod node:' },
  'temporal-profile.ts': {
    imports: 'errors.ts node:',
    types: '@temporalio/envconfig @temporalio/worker',
  },
}

const source = join(packageRoot, 'src')

it('keeps every import in src inside the borders of its folder', () => {
  const imports = sourceFiles().flatMap(importsOf)
  expect(imports.length).toBeGreaterThan(100)
  expect(imports.filter((one) => !isAllowed(one)).map(describeImport)).toEqual([])
})

it('sees value, type, side-effect, re-exporting and dynamic imports', () => {
  const text = `
import a, { type B } from 'a'
import type {
  C,
} from './c.ts'
import 'd'
export * from '../e.ts'
export type { F } from 'f'
const g = await import('g')
const text = "not an import from 'h'"
`
  expect(parseImports(text)).toEqual([
    { specifier: 'a', typeOnly: false },
    { specifier: './c.ts', typeOnly: true },
    { specifier: 'd', typeOnly: false },
    { specifier: '../e.ts', typeOnly: false },
    { specifier: 'f', typeOnly: true },
    { specifier: 'g', typeOnly: false },
  ])
})

interface Import {
  /** Path in src. */
  readonly from: string
  /** Path in src, or package. */
  readonly to: string
  readonly typeOnly: boolean
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const folder = Object.keys(borders).find((name) => isWithin(from, name))
  if (folder === undefined) return false // a new folder needs its line in the table
  if (folder.endsWith('/') && to.startsWith(folder)) return true
  const { imports, types = '' } = borders[folder] ?? { imports: '' }
  const allowed = typeOnly ? `${imports} ${types}` : imports
  return allowed.split(' ').some((name) => name !== '' && isWithin(to, name))
}

/** `hono/cors` is within `hono`, `node:fs` within `node:`, `core/decide.ts` within `core/`. */
function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(/[/:]$/.test(name) ? name : `${name}/`)
}

function importsOf(file: string): readonly Import[] {
  const from = relative(source, file)
  return parseImports(readFileSync(file, 'utf8')).map(({ specifier, typeOnly }) => ({
    from,
    to: specifier.startsWith('.') ? relative(source, join(dirname(file), specifier)) : specifier,
    typeOnly,
  }))
}

function parseImports(text: string): { specifier: string; typeOnly: boolean }[] {
  const statement =
    /^(?:import|export)(?<type> type)? (?:[\w$*{},\s]*? ?from )?'(?<static>[^']+)'|\bimport\('(?<dynamic>[^']+)'\)/gm
  return Array.from(text.matchAll(statement), ({ groups }) => ({
    specifier: groups?.['static'] ?? groups?.['dynamic'] ?? '',
    typeOnly: groups?.['type'] !== undefined,
  }))
}

function sourceFiles(): readonly string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

function describeImport({ from, to, typeOnly }: Import): string {
  return `${from} imports ${typeOnly ? 'type ' : ''}${to}`
}
