import { type RawBuilder, sql } from 'kysely'
import type { SubjectAnswer } from '../core/matching/judge-subject.ts'

/**
 * The answers to a subject's lookups as JSON, in their order.
 * @param subject alias of the table of subjects
 */
export function answersOf(subject: string): RawBuilder<readonly SubjectAnswer[]> {
  return sql`coalesce((
    select json_agg(json_build_object('position', sl.position, 'status', l.status, 'list', l.answer,
      'errorCode', l.error_code, 'errorMessage', l.error_message) order by sl.position)
    from subject_lookup sl join lookup l on l.id = sl.lookup_id
    where sl.subject_id = ${sql.ref(`${subject}.id`)}), '[]')`
}
