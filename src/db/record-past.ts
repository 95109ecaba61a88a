import { type RawBuilder, sql } from 'kysely'
import type { RecordPast } from '../core/matching/record-past.ts'

/**
 * The `RecordPast` of subject `s` as JSON, for decisions under settings of this revision. The weights of earlier
 * settings are left out: only their mapping is read.
 */
export function recordPast(revision: number): RawBuilder<RecordPast> {
  return sql<RecordPast>`json_build_object(
    'match', (
      select json_build_object(
        'id', coalesce(i.merged_into, d.external_id),
        'label', (
          select c.value ->> 'label' from jsonb_array_elements(d.evidence -> 'candidates') c
          where c.value ->> 'id' = d.external_id limit 1),
        'service', d.service,
        'name', d.evidence -> 'asked' ->> 0,
        'settings', (
          select ps.settings - 'weights' from project_setting ps
          where ps.project_id = s.project_id and ps.revision = d.settings_revision
            and ps.revision <> ${revision}::integer))
      from decision d
      left join item i on i.service = d.service and i.external_id = d.external_id
      where d.subject_id = s.id and d.outcome = 'matched'
      order by d.id desc limit 1),
    'judgments', coalesce((
      select json_agg(json_build_object(
        'verdict', j.verdict,
        'id', j.external_id,
        'seen', coalesce((
          select json_agg(c.value ->> 'id')
          from decision d, jsonb_array_elements(d.evidence -> 'candidates') c
          where d.id = j.decision_id), '[]')) order by j.id)
      from judgment j
      where j.subject_id = s.id and j.verdict <> 'undo' and not (j.verdict = 'match'
        and exists (select from judgment u where u.undoes = j.id))), '[]'))`
}
