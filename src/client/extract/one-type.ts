import { type ContentType, contentTypeOf } from '../../core/extract/source-profile.ts'
import type { ExtractRun } from '../../db/extract-runs.repo.ts'
import { UsageError } from '../../errors.ts'

/**
 * The content type that is meant: the one that is named, or the only one.
 * @throws UsageError `type_needed`, `unknown_type`
 */
export function oneType(run: ExtractRun, wanted: string | undefined): ContentType {
  const [first = '', ...others] = run.types
  const name = wanted ?? (others.length === 0 ? first : undefined)
  if (name !== undefined && run.types.includes(name)) return contentTypeOf(run.profile, name)
  throw new UsageError({
    code: name === undefined ? 'type_needed' : 'unknown_type',
    message:
      name === undefined
        ? `Extraction ${run.id} has ${run.types.length} content types; expected one of them.`
        : `Extraction ${run.id} has no content type ${name}.`,
    hint: `It has: ${run.types.join(', ')}`,
  })
}
