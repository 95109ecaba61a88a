import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { entityKinds, propertyKinds, propertyUses } from '../../core/project-settings.ts'
import { UsageError } from '../../errors.ts'
import { fileTroubleText } from '../../file-trouble.ts'

const text = z.string().min(1, 'expected some text')
const listOf = <T extends z.ZodType>(item: T) => z.array(item)
const score = z.number().min(0).max(100)

const variantSchema = z.union([
  text.transform((column) => ({ column })),
  z.strictObject({ column: text, separator: text.optional() }),
])

const propertySchema = z
  .strictObject({
    pid: text,
    columns: z.union([
      text.transform((column) => [column]),
      listOf(text)
        .min(1, 'expected a column')
        .max(2, 'expected one column, or two that belong together'),
    ]),
    kind: z.enum(propertyKinds).optional(),
    use: z.enum(propertyUses).optional(),
    dateFormat: z.enum(['dmy', 'mdy', 'ymd']).optional(),
    split: text.optional(),
  })
  .refine(({ kind, dateFormat }) => dateFormat === undefined || kind === 'date', {
    path: ['dateFormat'],
    error: 'belongs to kind "date" only',
  })

/** A BCP 47 tag such as `nl` or `zh-Hant`. */
const language = z.string().regex(/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i, 'expected a code like nl')

/** Everything a project may say about its records; what is left out keeps its value. */
export const mappingSchema = z
  .strictObject({
    name: text.optional(),
    variants: listOf(variantSchema).optional(),
    properties: listOf(propertySchema).optional(),
    // Null: none any more.
    typeColumn: text.nullable().optional(),
    earlier: z
      .strictObject({ column: text, use: z.enum(['judge', 'verify']) })
      .nullable()
      .optional(),
    kind: z.enum(entityKinds).optional(),
    languages: listOf(language).min(1, 'expected a language').optional(),
    types: listOf(text).optional(),
    candidates: z.int().min(1).max(50).optional(),
    thresholds: z
      .strictObject({
        match: score.optional(),
        review: score.optional(),
        lead: score.optional(),
      })
      .optional(),
  })
  .refine(({ thresholds }) => (thresholds?.review ?? 0) <= (thresholds?.match ?? 100), {
    path: ['thresholds', 'review'],
    error: 'expected at most thresholds.match',
  })

/** What a mapping file or the flags say; see docs of the fields in `core/project-settings.ts`. */
export type MappingChanges = Readonly<z.output<typeof mappingSchema>>

/**
 * Reads a mapping file.
 * @throws UsageError `mapping_not_readable`, or `bad_mapping` with every violation
 */
export async function readMappingFile(path: string): Promise<MappingChanges> {
  return checkMapping(await readJson(path), path)
}

/**
 * @param from where it comes from, for the message
 * @throws UsageError `bad_mapping` with every violation
 */
export function checkMapping(value: unknown, from: string): MappingChanges {
  const parsed = mappingSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.flatMap(issueTexts)
  throw new UsageError({
    code: 'bad_mapping',
    message: `${from} is no mapping:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    hint: 'Expected: {"name": COLUMN, "variants": [{"column", "separator"}], "properties": [{"pid", "columns", "kind", "use", "dateFormat", "split"}], "typeColumn", "earlier": {"column", "use"}, "types", "languages", "kind", "candidates", "thresholds"}.',
  })
}

function issueTexts(issue: z.core.$ZodIssue): readonly string[] {
  const path = issue.path.map(String).join('.')
  // Of a union, the branch that got furthest is the one that was meant.
  if (issue.code === 'invalid_union') {
    const best = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? []
    return best.flatMap((inner) => issueTexts({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  return [`${path === '' ? '' : `${path}: `}${issue.message}`]
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + Number(isUnknownKey(issue))))
}

function isUnknownKey(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'unrecognized_keys'
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, '')) as unknown
  } catch (error) {
    throw new UsageError({
      code: 'mapping_not_readable',
      message: `The mapping ${path} cannot be read: ${fileTroubleText(error)}.`,
      hint: 'Expected a JSON file; the full form is in "record-linker import --help".',
      cause: error,
    })
  }
}
