/** A batch of questions in API 0.2, checked; what is wrong is said per question. */
import { z } from 'zod'
import { describeIssues } from './describe-issues.ts'
import type { KbValue } from './kb-item.ts'

export interface KbQueryProperty {
  readonly pid: string
  /** At least one, none blank. */
  readonly values: readonly KbValue[]
}

export interface KbQuery {
  /** The name asked for; undefined when blank: then only the properties count, and without any nothing is found. */
  readonly query: string | undefined
  /** Type ids; empty when any type will do. */
  readonly types: readonly string[]
  /** `any`: one of the types is needed; `all`: each of them; `should`: others are worth less. */
  readonly typeStrict: 'any' | 'all' | 'should'
  /** Candidates wanted at most. */
  readonly limit: number | undefined
  readonly properties: readonly KbQueryProperty[]
}

export interface QueryProblem {
  /** Key of the query in the batch. */
  readonly query: string
  readonly problem: string
}

export interface QueryBatch {
  /** In the order of the batch, by key. */
  readonly queries: readonly (readonly [string, KbQuery])[]
  readonly problems: readonly QueryProblem[]
}

const plainValue = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const entityValue = z
  .object({ id: z.string(), name: z.string().nullish() })
  .transform(({ id, name }): KbValue => ({ id, name: name ?? undefined }))
const value = z.union([plainValue, entityValue])

// Null stands for absent: clients send it, and refusing would cost them the batch.
const querySchema = z.strictObject({
  query: z.string().nullish(),
  type: z.union([z.string(), z.array(z.string())]).nullish(),
  type_strict: z.enum(['any', 'all', 'should']).nullish(),
  limit: z.number().int().positive().nullish(),
  properties: z
    .array(
      z.strictObject({ pid: z.string().min(1), v: z.union([value, z.array(value), z.null()]) }),
    )
    .nullish(),
})

/** Reads the queries of a batch, by key. */
export function parseQueryBatch(batch: readonly (readonly [string, unknown])[]): QueryBatch {
  const queries: [string, KbQuery][] = []
  const problems: QueryProblem[] = []
  for (const [key, json] of batch) {
    const parsed = querySchema.safeParse(json)
    const query = parsed.success ? toQuery(parsed.data) : describeIssues(parsed.error, 'the query')
    if (typeof query === 'string') problems.push({ query: key, problem: query })
    else queries.push([key, query])
  }
  return { queries, problems }
}

function toQuery(sent: z.infer<typeof querySchema>): KbQuery | string {
  const sentProperties = sent.properties ?? []
  if ((sent.query ?? null) === null && sentProperties.length === 0) {
    return 'expected a `query` or at least one of `properties`'
  }
  return {
    query: (sent.query ?? '').trim() === '' ? undefined : (sent.query ?? undefined),
    types: [sent.type ?? []].flat().filter((id) => id.trim() !== ''),
    typeStrict: sent.type_strict ?? 'any',
    limit: sent.limit ?? undefined,
    properties: sentProperties
      .map(({ pid, v }) => ({ pid, values: [v].flat().filter(isStated) }))
      .filter(({ values }) => values.length > 0),
  }
}

function isStated(value: KbValue | null): value is KbValue {
  return value !== null && (typeof value === 'string' ? value : value.id).trim() !== ''
}
