import { expect, it } from 'vitest'
import { apiRoutes } from '../../../src/web/api/api-routes.ts'
import { openApiDocument } from '../../../src/web/openapi.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
  }[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

const document = JSON.parse(JSON.stringify(openApiDocument(apiRoutes))) as {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

it('has every route once, each with a name of its own', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(operations).toHaveLength(apiRoutes.length)
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('names every part of a path as a parameter that is needed', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const told = operation.parameters.filter((one) => one.in === 'path')
    expect([path, told.map(({ name }) => name)]).toEqual([path, inPath])
    expect(told.every(({ required }) => required === true)).toBe(true)
  }
})

it('tells of each operation a success and what else it can answer', () => {
  for (const { path, operation } of operations) {
    const codes = Object.keys(operation.responses)
    expect([path, codes.some((code) => code.startsWith('2'))]).toEqual([path, true])
    expect([path, codes]).toEqual([path, expect.arrayContaining(['400', '401', '403', '503'])])
  }
})
