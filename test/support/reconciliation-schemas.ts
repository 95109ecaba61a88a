/** The JSON schemas and examples of the Reconciliation Service API, from test/fixtures. */
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect } from 'vitest'

export type ApiVersion = '0.1' | '0.2' | '1.0-draft'
export const apiVersions: readonly ApiVersion[] = ['0.1', '0.2', '1.0-draft']

export interface ApiExample {
  /** Name of the schema it is an example of. */
  readonly schema: string
  readonly file: string
  readonly json: unknown
}

const FOLDER = new URL('../fixtures/reconciliation-api/', import.meta.url)

// One for each version, since ids of the 0.2 files and of the draft are partly the same.
const validators = new Map(apiVersions.map((version) => [version, validatorOf(version)] as const))

/** What the schema finds wrong; empty for nothing. */
export function schemaErrors(version: ApiVersion, schema: string, json: unknown): string {
  const ajv = validators.get(version)
  return ajv === undefined || ajv.validate(`${schema}.json`, json) ? '' : ajv.errorsText()
}

export function expectValid(version: ApiVersion, schema: string, json: unknown): void {
  expect(schemaErrors(version, schema, json)).toBe('')
}

/** Examples of a version, all of them or those of one schema. */
export function examplesOf(
  version: ApiVersion,
  validity: 'valid' | 'invalid',
  onlySchema?: string,
): readonly ApiExample[] {
  const root = new URL(`${version}/examples/`, FOLDER)
  const schemas = readdirSync(root).filter(
    (name) => onlySchema === undefined || name === onlySchema,
  )
  return schemas.flatMap((schema) => {
    const names = readdirSync(new URL(`${schema}/`, root))
    if (!names.includes(validity)) return []
    const folder = new URL(`${schema}/${validity}/`, root)
    return readdirSync(folder).map((file) => ({ schema, file, json: readJson(folder, file) }))
  })
}

function validatorOf(version: ApiVersion): Ajv {
  // They name a meta schema that is not there, and a schema of Swagger whose place is taken by one that allows all.
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false })
  ajv.addSchema({
    $id: 'http://swagger.io/v2/schema.json',
    definitions: { securityDefinitions: { additionalProperties: {} } },
  })
  const folder = new URL(`${version}/schemas/`, FOLDER)
  for (const file of readdirSync(folder)) ajv.addSchema(readJson(folder, file) as object, file)
  return ajv
}

function readJson(folder: URL, file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
}
