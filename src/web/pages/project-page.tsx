import type { ProjectDetails } from '../../client/projects/project-details.ts'
import type { ProjectFailure } from '../../client/failures/project-failures.ts'
import type { CandidateType } from '../../db/candidate-types.repo.ts'
import type { ListedEntry } from '../../db/entry-pages.repo.ts'
import type { JudgmentAct } from '../../db/judgment-acts.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { ScoreBar } from '../../db/score-histogram.repo.ts'
import type { PageQuery } from '../page-query.ts'
import { viewQuery } from '../page-query.ts'
import { ActList } from '../parts/act-list.tsx'
import { type AuditRow, AuditSection } from '../parts/audit-section.tsx'
import { EntryTable } from '../parts/entry-table.tsx'
import { FailureList } from '../parts/failure-list.tsx'
import { FilterForm } from '../parts/filter-form.tsx'
import { Layout } from '../parts/layout.tsx'
import { OutcomeBar } from '../parts/outcome-bar.tsx'
import { RunPanel, StartingPanel } from '../parts/run-panel.tsx'
import { ScoreChart } from '../parts/score-chart.tsx'
import { plural } from '../parts/words.ts'
import type { RunProgress } from '../run-state.ts'

export interface ProjectView {
  readonly project: Project
  readonly details: ProjectDetails
  readonly run: RunProgress | null
  /** Temporal's id of a run that was just started; null: the latest one is `run`. */
  readonly starting: string | null
  readonly bars: readonly ScoreBar[]
  readonly types: readonly CandidateType[]
  readonly failures: readonly ProjectFailure[]
  readonly acts: readonly JudgmentAct[]
  readonly audits: readonly AuditRow[]
  readonly query: PageQuery
  readonly entries: readonly ListedEntry[]
  /** Cursor of the next page; null: this is the last. */
  readonly next: string | null
  readonly reviewer: string | null
}

export function ProjectPage(view: ProjectView) {
  const { project, details, run, bars, failures, acts, audits, query, entries, next } = view
  const base = `/p/${project.id}`
  const { records } = details
  const reviewOf = query.status === undefined ? '' : viewQuery(query)
  return (
    <Layout
      title={project.name}
      crumbs={[{ text: project.name }]}
      reviewer={view.reviewer}
      here={`${base}?${viewQuery(query)}`}
    >
      <h1>
        {project.name} <small>project {project.id}</small>
      </h1>
      {project.about === null ? null : <p>{project.about}</p>}
      <p class="small">
        {plural(records.total, 'record')} of dataset “{project.datasetName}”, asked of{' '}
        {project.settings.service}, settings revision {project.revision};{' '}
        {plural(records.judged, 'record')} judged
        {records.stale > 0 ? (
          <>
            ,{' '}
            <a href={`${base}?stale=yes#records`}>
              {plural(records.stale, 'one', 'of them')} changed since
            </a>
          </>
        ) : null}
        .
      </p>
      <OutcomeBar counts={records} project={project.id} />
      <div class="actions" data-fresh>
        {records.review > 0 ? (
          <a class="button primary" href={`${base}/review`}>
            Review {plural(records.review, 'record')}
          </a>
        ) : null}
        <a class="button" href={`${base}/bulk`}>
          Accept many by a rule
        </a>
        <a class="button" href={`${base}/thresholds`}>
          Thresholds
        </a>
        <a class="button" href={`/projects/${project.id}/export?format=csv`} download>
          Export CSV
        </a>
        <a class="button" href={`/projects/${project.id}/judgments`} download>
          Export judgments
        </a>
      </div>
      {view.starting === null ? (
        <RunPanel project={project.id} run={run} due={details.due} />
      ) : (
        <StartingPanel project={project.id} id={view.starting} />
      )}
      <div data-fresh>
        {details.due > 0 ? (
          <p class="small">
            <a href={`${base}/begin`}>What a match would send, and to whom</a>; there you can also
            try it on a few.
          </p>
        ) : null}
      </div>
      <div data-fresh>
        <FailureList project={project.id} failures={failures} />
      </div>
      <h2 id="records">Records</h2>
      <ScoreChart
        bars={bars}
        thresholds={project.settings.thresholds}
        from={query.min_score ?? null}
        to={query.max_score ?? null}
      />
      <FilterForm action={base} query={query} types={view.types} usual="file" submit="Show" />
      <p>{reviewOf === '' ? null : <a href={`${base}/review?${reviewOf}`}>Review just these</a>}</p>
      <div data-fresh>
        <EntryTable project={project.id} settings={project.settings} entries={entries} />
      </div>
      <nav class="moves" aria-label="Pages">
        {query.after === undefined ? null : (
          <a class="button" href={`${base}?${viewQuery(query)}#records`}>
            First page
          </a>
        )}
        {next === null ? null : (
          <a
            class="button"
            rel="next"
            href={`${base}?${viewQuery(query, { after: next })}#records`}
          >
            Next page
          </a>
        )}
      </nav>
      <AuditSection project={project.id} audits={audits} />
      <ActList project={project.id} acts={acts} />
    </Layout>
  )
}
