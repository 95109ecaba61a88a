import type { DomainLimit } from '../../db/domain-limits.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { ProjectCounts } from '../../db/run-progress.repo.ts'
import { DomainTable } from '../parts/domain-table.tsx'
import { Layout } from '../parts/layout.tsx'
import { OutcomeBar } from '../parts/outcome-bar.tsx'
import { RunPanel } from '../parts/run-panel.tsx'
import { plural } from '../parts/words.ts'
import type { RunProgress } from '../run-state.ts'

export interface HomeProject {
  readonly project: Project
  readonly counts: ProjectCounts
  readonly run: RunProgress | null
}

export function HomePage({
  projects,
  limits,
  reviewer,
  workflowsUrl,
}: {
  projects: readonly HomeProject[]
  limits: readonly DomainLimit[]
  reviewer: string | null
  /** Of Temporal's own pages, where they are ours. */
  workflowsUrl: string | undefined
}) {
  return (
    <Layout title="Projects" reviewer={reviewer} here="/">
      <div class="page-head">
        <h1>Projects</h1>
        <a class="button" href="/import">
          Import a file
        </a>
      </div>
      {projects.length === 0 ? <NoProjects /> : null}
      {projects.map(({ project, counts, run }) => (
        <article class="card">
          <h2>
            <a href={`/p/${project.id}`}>{project.name}</a>{' '}
            <small>
              project {project.id} · {plural(counts.total, 'record')} · {project.settings.service}
            </small>
          </h2>
          <OutcomeBar counts={counts} project={project.id} />
          {counts.review > 0 ? (
            <p>
              <a class="button primary" href={`/p/${project.id}/review`}>
                Review {plural(counts.review, 'record')}
              </a>
            </p>
          ) : null}
          <RunPanel project={project.id} run={run} due={null} />
        </article>
      ))}
      <h2>Domains</h2>
      <DomainTable limits={limits} nowMs={Date.now()} />
      {workflowsUrl === undefined ? null : (
        <p class="small">
          The workflows themselves: <a href={workflowsUrl}>{workflowsUrl}</a>
        </p>
      )}
    </Layout>
  )
}

function NoProjects() {
  return (
    <div class="card">
      <p>
        There are no projects yet. <a href="/import">Import a file</a> of yours, or look at the
        sample: 500 shops as mappers write them, matched on this machine.
      </p>
      <form method="post" action="/sample">
        <button class="primary" type="submit">
          Make the sample project
        </button>
      </form>
    </div>
  )
}
