/** One row of a knowledge-base file, checked. The row format is in CONTRACTS: one JSON object a line. */
import { z } from 'zod'
import { describeIssues } from './describe-issues.ts'

/** A value as text, or an entity. Numbers and booleans of the file have become text. */
export type KbValue = string | { readonly id: string; readonly name?: string | undefined }

export interface KbItem {
  readonly qid: string
  readonly label: string
  readonly description: string | undefined
  readonly aliases: readonly string[]
  readonly types: readonly string[]
  /** By property id; no empty lists. */
  readonly properties: ReadonlyMap<string, readonly KbValue[]>
}

/** A line that is no row: what is wrong with it. */
export interface BadRow {
  readonly reason: string
}

const text = z.string().trim()
const plainValue = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const entityValue = z
  .object({ id: text.min(1), name: z.string().nullish() })
  .transform(({ id, name }): KbValue => ({ id, name: name ?? undefined }))
const value = z.union([plainValue, entityValue])
const listOf = <T extends z.ZodType>(member: T) =>
  z
    .union([z.array(member), member.transform((one) => [one])])
    .nullish()
    .transform((list) => list ?? [])

const rowSchema = z.object({
  qid: text.min(1),
  label: text.min(1),
  description: z.string().nullish(),
  aliases: listOf(z.string()),
  types: listOf(z.union([text.min(1), z.object({ id: text.min(1) }).transform(({ id }) => id)])),
  properties: z.record(z.string(), listOf(value)).nullish(),
})

/** Reads one line. Missing and null members count as empty, unknown ones are ignored, a lone value is a list of one. */
export function parseKbItem(line: string): KbItem | BadRow {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    return { reason: `not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  const row = rowSchema.safeParse(json)
  if (!row.success) return { reason: describeIssues(row.error, 'the line') }
  const { qid, label, description, aliases, types, properties } = row.data
  return {
    qid,
    label,
    description: description?.trim() === '' ? undefined : (description ?? undefined),
    aliases: aliases.filter((alias) => alias.trim() !== ''),
    types,
    properties: new Map(
      Object.entries(properties ?? {})
        .map(([pid, values]) => [pid, values] as const)
        .filter(([, values]) => values.length > 0),
    ),
  }
}

/** One row out of two for the same item: names, types and values of the later are added to the earlier. */
export function mergeKbItems(earlier: KbItem, later: KbItem): KbItem {
  const names = new Set([...earlier.aliases, later.label, ...later.aliases])
  names.delete(earlier.label)
  const properties = new Map(earlier.properties)
  for (const [pid, values] of later.properties) {
    const known = properties.get(pid) ?? []
    const seen = new Set(known.map(valueKey))
    properties.set(pid, [...known, ...values.filter((value) => !seen.has(valueKey(value)))])
  }
  return {
    qid: earlier.qid,
    label: earlier.label,
    description: earlier.description ?? later.description,
    aliases: [...names],
    types: [...new Set([...earlier.types, ...later.types])],
    properties,
  }
}

function valueKey(value: KbValue): string {
  return typeof value === 'string' ? `=${value}` : value.id
}
