import type { Project } from '../../db/projects.repo.ts'
import { Layout } from '../parts/layout.tsx'
import { timeText } from '../parts/words.ts'
import { type Problem } from '../problem.ts'
import { queryText } from '../query-text.ts'

interface Answer {
  readonly verdict: string
  readonly qid: string | null
  readonly by?: string
  readonly at?: string
  readonly note?: string | null
}

/** Two people judged the same record: both answers, side by side. */
export function ConflictPage({
  project,
  entry,
  reviewer,
  problem,
  next,
}: {
  project: Project
  entry: string
  reviewer: string
  problem: Problem
  /** Address of the next record. */
  next: string
}) {
  const { holding = null, yours } = (problem.facts ?? {}) as {
    holding?: Answer | null
    yours?: Answer
  }
  const look = `/p/${project.id}/review?${queryText({ entry })}`
  return (
    <Layout
      title="Already decided"
      crumbs={[{ text: project.name, href: `/p/${project.id}` }, { text: 'Already decided' }]}
    >
      <h1>Already decided</h1>
      <p class="notice">{problem.detail}</p>
      <div class="two">
        <section class="card">
          <h2>{holding === null ? 'No judgment holds' : `${holding.by ?? 'Somebody'} said`}</h2>
          {holding === null ? null : (
            <p>
              <strong>{answerText(holding)}</strong>{' '}
              {holding.at === undefined ? '' : timeText(holding.at)}
            </p>
          )}
          {holding?.note == null ? null : <p>{holding.note}</p>}
          <p>
            <a class="button" href={next}>
              Leave it, go on
            </a>
          </p>
        </section>
        <section class="card">
          <h2>You, {reviewer}, said</h2>
          <p>
            <strong>{yours === undefined ? '' : answerText(yours)}</strong>
          </p>
          <p>
            <a class="button" href={look}>
              Look at the record again
            </a>
          </p>
        </section>
      </div>
    </Layout>
  )
}

function answerText({ verdict, qid }: Answer): string {
  return `${verdict.replaceAll('_', ' ')}${qid === null ? '' : ` ${qid}`}`
}
