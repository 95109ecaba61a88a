import type { Project } from '../../db/projects.repo.ts'
import type { StoredJudgment, StoredQuestion } from '../../db/explained-entry.repo.ts'
import type { PageQuery } from '../page-query.ts'
import type { ReviewCardData } from '../review-card.ts'
import { JudgeForm } from '../parts/judge-form.tsx'
import { Layout, ReviewerForm } from '../parts/layout.tsx'
import { UndoForm } from '../parts/undo-form.tsx'
import { timeText } from '../parts/words.ts'
import { queryText } from '../query-text.ts'

/** A record with all its evidence: every candidate, what was asked, what was said. */
export function EntryPage({
  project,
  card,
  query,
  reviewer,
}: {
  project: Project
  card: ReviewCardData
  query: PageQuery
  reviewer: string | null
}) {
  const { explanation } = card
  const { entry, record, decision, questions, judgments } = explanation
  const here = `/p/${project.id}/entry?${queryText({ entry })}`
  return (
    <Layout
      title={record.names[0] ?? entry}
      crumbs={[{ text: project.name, href: `/p/${project.id}` }, { text: `record ${entry}` }]}
      reviewer={reviewer}
      here={here}
    >
      <h1>{record.names[0] ?? '(no name)'}</h1>
      {explanation.isAbsent ? <p class="notice">The last import did not have it.</p> : null}
      {reviewer === null ? (
        <div class="card">
          <p>To judge it, say who you are.</p>
          <ReviewerForm reviewer={null} back={here} />
        </div>
      ) : (
        <UndoForm project={project.id} query={query} act={query.done} said={query.said} />
      )}
      <JudgeForm project={project} card={card} query={query} place="" />
      {decision === null ? null : (
        <section>
          <h2>How it was decided</h2>
          <dl class="facts">
            <Fact
              name="Outcome"
              text={`${decision.outcome.replace('_', ' ')}: ${decision.reason}`}
            />
            <Fact name="Rule" text={decision.rule} />
            <Fact
              name="By"
              text={`${decision.decidedBy ?? `run ${decision.run ?? '(deleted)'}`}, ${timeText(decision.decidedAt)}`}
            />
            {decision.margin === null ? null : (
              <Fact name="Lead" text={String(Math.round(decision.margin))} />
            )}
            <Fact
              name="Thresholds"
              text={`match ${decision.thresholds.match}, review ${decision.thresholds.review}, lead ${decision.thresholds.lead}; settings revision ${decision.settingsRevision}`}
            />
            <Fact name="Weights" text={decision.weightsVersion} />
            {decision.truncated ? (
              <Fact name="List" text="cut off by the service: the right one may be missing" />
            ) : null}
          </dl>
        </section>
      )}
      {questions.length === 0 ? null : (
        <section>
          <h2>What was asked</h2>
          <ul>
            {questions.map((question) => (
              <li>{questionText(question)}</li>
            ))}
          </ul>
        </section>
      )}
      {judgments.length === 0 ? null : (
        <section>
          <h2>What people said</h2>
          <ul>
            {judgments.map((judgment) => (
              <li>{judgmentText(judgment)}</li>
            ))}
          </ul>
        </section>
      )}
    </Layout>
  )
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  )
}

function questionText(question: StoredQuestion): string {
  const { name, kind, status, answeredAt, candidates, truncated, errorCode, errorMessage } =
    question
  const asked = `${kind === 'batch' ? '' : `by ${kind}: `}“${name}”`
  if (status === 'missing') return `${asked}: not asked`
  if (status === 'failed') return `${asked}: failed, ${errorCode ?? ''}: ${errorMessage ?? ''}`
  const when = answeredAt === null ? '' : `, ${timeText(answeredAt)}`
  return `${asked}: ${candidates} candidates${truncated ? ', the list was full' : ''}${when}`
}

function judgmentText({ verdict, qid, by, at, note, holds }: StoredJudgment): string {
  const what = `${verdict.replaceAll('_', ' ')}${qid === null ? '' : ` ${qid}`}`
  return `${timeText(at)}, ${by}: ${what}${note === null ? '' : ` (${note})`}${holds ? '' : ', no longer holds'}`
}
