/** A project as it stands after its first run and some days of review, made without a run: nobody is asked. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { csvCells } from './made-cells.ts'
import type { EntityType } from '../../src/core/matching/candidate.ts'
import { thresholdsByKind } from '../../src/core/project-settings.ts'
import { defaultRunOptions } from '../../src/core/run.ts'
import { drawAudit } from '../../src/db/audits.repo.ts'
import type { Db } from '../../src/db/connect.ts'
import { type DecidedSubject, storeDecidedPage } from '../../src/db/decided-page.repo.ts'
import { createProject, findProject, type Project } from '../../src/db/projects.repo.ts'
import { openRun } from '../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../src/db/subject-refresh.ts'
import { madeDecision } from './made-decisions.ts'

const PAGE = 500
const PER_TASK = 2_500
const SERVICE = 'sample'
const ENTRY_ROWS = 5_000

export interface MadeProject {
  readonly project: Project
  /** Writing of what was decided, as a run writes it. */
  readonly decidedPerSecond: number
}

export async function makeDecidedProject(db: Db, records: number): Promise<MadeProject> {
  const project = await makeProject(db, records)
  await refreshSubjects(db, project)
  // As the server does by itself within a minute; without it the queries below can take that long each.
  await sql`analyze`.execute(db)
  const run = await openRun(db, {
    projectId: project.id,
    workflowId: `match-project/${project.id}`,
    temporalRunId: randomUUID(),
    settingsRevision: 1,
    options: defaultRunOptions,
  })
  await queueAll(db, project.id, run.id)
  await sql`vacuum analyze`.execute(db)
  const decidedPerSecond = await decideAll(db, project, run.id)
  await failSome(db, project.id)
  await sql`update run set status = 'completed', ended_at = now() where id = ${run.id}::bigint`.execute(
    db,
  )
  await judgeSome(db, project.id)
  await drawAudit(db, project.id, { size: 200, seed: 1, by: 'Ann' })
  // As above.
  await sql`vacuum analyze`.execute(db)
  return { project, decidedPerSecond }
}

async function makeProject(db: Db, records: number): Promise<Project> {
  const dataset = await db
    .insertInto('dataset')
    .values({
      name: `made-${records}`,
      columns: JSON.stringify(['id', 'name', 'country', 'category']),
      id_columns: JSON.stringify(['id']),
      format: JSON.stringify({ kind: 'csv', delimiter: ',', encoding: 'utf-8' }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const cellsOf = await csvCells(records)
  for (let from = 0; from < records; from += ENTRY_ROWS) {
    const rows = Array.from({ length: Math.min(ENTRY_ROWS, records - from) }, (_, at) =>
      cellsOf(from + at),
    )
    await sql`
      insert into entry (dataset_id, external_id, position, source, source_hash)
      select ${dataset.id}::bigint, cells ->> 'id', ${from}::integer + no, cells, sha256(cells::text::bytea)
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as row (cells, no)`.execute(
      db,
    )
  }
  const id = await createProject(db, {
    name: `Made: ${records} shops`,
    datasetId: dataset.id,
    settings: {
      service: SERVICE,
      kind: 'organisation',
      languages: ['en'],
      types: [],
      limit: 10,
      thresholds: thresholdsByKind.organisation,
      mapping: {
        name: 'name',
        variants: [],
        properties: [
          { pid: 'P17', columns: ['country'], kind: 'item', use: 'compare' },
          { pid: 'category', columns: ['category'], kind: 'text', use: 'compare' },
        ],
      },
    },
  })
  const project = id === undefined ? undefined : await findProject(db, id)
  if (project === undefined) throw new Error('expected the project that was just made')
  return project
}

/** Its tasks, questions and calls, as a run leaves them. */
async function queueAll(db: Db, projectId: number, runId: number): Promise<void> {
  await sql`
    update subject s set status = 'QUEUED', run_id = ${runId}::bigint,
      task_number = 1 + e.position / ${PER_TASK}::integer
    from entry e where e.id = s.entry_id and s.project_id = ${projectId}::bigint`.execute(db)
  await sql`
    insert into task (run_id, number, round, kind, status)
    select ${runId}::bigint, task_number, 0, 'ask', 'done' from subject
    where run_id = ${runId}::bigint group by task_number`.execute(db)
  await sql`
    insert into attempt (run_id, task_number, domain, outcome, http_status, lookup_ids, duration_ms)
    select ${runId}::bigint, t.number, 'service.example', 'ok', 200, '[]', 120
    from task t, generate_series(1, 20) where t.run_id = ${runId}::bigint`.execute(db)
  await sql`
    insert into lookup (service, key_hash, query, status, answer, answered_at)
    select distinct on (hash) ${SERVICE}::text, hash, jsonb_build_object('query', name, 'language', 'en'),
      'answered', '{"candidates": [], "truncated": false}'::jsonb, now()
    from (select sha256((e.source ->> 'name')::bytea) as hash, e.source ->> 'name' as name
      from entry e join subject s on s.entry_id = e.id and s.project_id = ${projectId}::bigint) as names
    on conflict do nothing`.execute(db)
  await sql`
    insert into subject_lookup (subject_id, position, lookup_id)
    select s.id, 0, l.id
    from subject s join entry e on e.id = s.entry_id
    join lookup l on l.service = ${SERVICE}::text and l.key_hash = sha256((e.source ->> 'name')::bytea)
    where s.project_id = ${projectId}::bigint`.execute(db)
}

/** @returns decided records a second, of writing alone */
async function decideAll(db: Db, project: Project, runId: number): Promise<number> {
  const { rows } = await sql<{ id: number; hash: string; name: string; position: number }>`
    select s.id, encode(s.match_hash, 'hex') as hash, e.source ->> 'name' as name, e.position
    from subject s join entry e on e.id = s.entry_id
    where s.project_id = ${project.id}::bigint order by e.position`.execute(db)
  const context = {
    runId,
    service: SERVICE,
    settingsRevision: project.revision,
    weightsVersion: 'made',
  }
  let writingMs = 0
  for (let from = 0; from < rows.length; from += PAGE) {
    const decided = rows
      .slice(from, from + PAGE)
      .map(({ id, hash, name, position }): DecidedSubject => ({
        subjectId: id,
        askedHash: hash,
        refreshFailure: null,
        decision: madeDecision(position, name),
      }))
    const items = decided.flatMap(({ decision: { best } }) =>
      best === null
        ? []
        : [{ id: best.id, label: best.label, description: null, types: madeTypes(best.id) }],
    )
    const beganMs = performance.now()
    await storeDecidedPage(db, context, { decided, failed: [], items }, null)
    writingMs += performance.now() - beganMs
  }
  return (rows.length * 1_000) / writingMs
}

/** Of ten common types one or two, and of a hundred rare ones now and then one: `Q901` is of one item in 10,000. */
function madeTypes(item: string): readonly EntityType[] {
  const record = Math.floor(Number(item.slice(1)) / 10)
  const numbers = [1 + (record % 10), 11 + (record % 7)]
  const rare = record % 100 === 1 ? [901 + (Math.floor(record / 100) % 100)] : []
  return [...numbers, ...rare].map((number) => ({ id: `Q${number}`, name: `type ${number}` }))
}

/** One in a hundred. */
async function failSome(db: Db, projectId: number): Promise<void> {
  await sql`
    update subject s set status = 'FAILED', outcome = null,
      error_code = case when s.id % 3 = 0 then 'bad_request' else 'http_500' end,
      error_message = 'the service answered so'
    from entry e
    where e.id = s.entry_id and s.project_id = ${projectId}::bigint and e.position % 100 = 7`.execute(
    db,
  )
}

/** Of a hundred records one on the page, one as part of an act by a rule, one from a file; some taken back, some for later. */
async function judgeSome(db: Db, projectId: number): Promise<void> {
  const told = (place: number) => sql`
    from subject s join entry e on e.id = s.entry_id join decision d on d.id = s.decision_id
    where s.project_id = ${projectId}::bigint and s.outcome = 'review' and e.position % 17 = ${sql.lit(place)}`
  await sql`
    with acts as (
      insert into judgment_act (project_id, way, acted_by)
      select ${projectId}::bigint, 'review', 'Ann' ${told(3)} returning id
    ), numbered as (select id, row_number() over (order by id) as no from acts)
    insert into judgment (subject_id, verdict, external_id, judged_by, match_hash, decision_id, act_id)
    select one.id, verdict, case when verdict = 'match' then one.external_id end, 'Ann', one.match_hash,
      one.decision_id, n.id
    from (select s.id, s.match_hash, s.decision_id, d.external_id, row_number() over (order by s.id) as no,
        case e.position % 4 when 0 then 'none_fits' when 1 then 'not_in_wikidata' else 'match' end as verdict
      ${told(3)}) as one
    join numbered n using (no)`.execute(db)
  await sql`
    with act as (
      insert into judgment_act (project_id, way, rule, acted_by)
      values (${projectId}::bigint, 'bulk', '{"minScore": 80, "minMargin": 10, "single": false}', 'Bob') returning id
    )
    insert into judgment (subject_id, verdict, external_id, judged_by, match_hash, decision_id, act_id)
    select s.id, 'match', d.external_id, 'Bob', s.match_hash, s.decision_id, (select id from act)
    ${told(5)}`.execute(db)
  await sql`
    insert into judgment (subject_id, verdict, judged_by, match_hash, decision_id)
    select s.id, 'not_applicable', 'gold.csv', s.match_hash, s.decision_id ${told(7)}`.execute(db)
  await sql`
    with act as (
      insert into judgment_act (project_id, way, acted_by, undoes)
      select project_id, 'undo', acted_by, id from judgment_act
      where project_id = ${projectId}::bigint and way = 'review' and id % 20 = 0
      returning id, undoes
    )
    insert into judgment (subject_id, verdict, judged_by, match_hash, undoes, act_id)
    select j.subject_id, 'undo', j.judged_by, j.match_hash, j.id, act.id
    from act join judgment j on j.act_id = act.undoes`.execute(db)
  await sql`
    insert into review_skip (subject_id, skipped_by)
    select s.id, 'Ann' ${told(9)} and e.position % 10 = 0`.execute(db)
}
