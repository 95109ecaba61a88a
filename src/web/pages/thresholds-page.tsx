import type { OutcomeNumbers, ThresholdPreview } from '../../client/match/threshold-preview.ts'
import type { Conclusion } from '../../core/matching/result-change.ts'
import type { DecisionThresholds } from '../../core/project-settings.ts'
import type { Project, SettingsRevision } from '../../db/projects.repo.ts'
import type { ScoreBar } from '../../db/score-histogram.repo.ts'
import { numberText } from '../number-text.ts'
import { Layout } from '../parts/layout.tsx'
import { ScoreChart } from '../parts/score-chart.tsx'
import { plural, timeText } from '../parts/words.ts'
import type { Problem } from '../problem.ts'
import { queryText } from '../query-text.ts'

const fields = [
  { name: 'match', text: 'Match from a score of', about: 'with nothing that speaks against it' },
  { name: 'lead', text: 'and a lead of', about: 'over the second candidate' },
  { name: 'review', text: 'Review from a score of', about: 'below it counts as no candidate' },
] as const

export interface ThresholdsView {
  readonly project: Project
  /** As they stand in the form. */
  readonly thresholds: DecisionThresholds
  readonly bars: readonly ScoreBar[]
  readonly preview: ThresholdPreview
  readonly revisions: readonly SettingsRevision[]
  readonly problem: Problem | null
}

/** Other thresholds tried before they are applied. */
export function ThresholdsPage(view: ThresholdsView) {
  const { project, thresholds, bars, revisions, problem } = view
  const base = `/p/${project.id}/thresholds`
  return (
    <Layout
      title={`Thresholds, ${project.name}`}
      crumbs={[{ text: project.name, href: `/p/${project.id}` }, { text: 'Thresholds' }]}
    >
      <h1>Thresholds</h1>
      {problem === null ? null : (
        <p class="notice bad" role="alert">
          {problem.detail} {problem.hint}
        </p>
      )}
      <p>
        Move them and see what would change. Nothing is written until you apply them; then all
        records that nobody judged are decided again from stored answers, and nobody is asked.
      </p>
      <ScoreChart bars={bars} thresholds={thresholds} from={null} to={null} use="show" />
      <form method="get" action={base} data-thresholds>
        <div class="sliders">
          {fields.map(({ name, text, about }) => (
            <div class="slider">
              <label for={`number-${name}`}>
                {text} <small>{about}</small>
              </label>
              <input
                id={`number-${name}`}
                name={name}
                type="number"
                min="0"
                max="100"
                step="any"
                required
                value={thresholds[name]}
              />
              <input
                type="range"
                min="0"
                max="100"
                step="1"
                value={thresholds[name]}
                aria-label={`${text}, dragged`}
                data-drags={name}
                hidden
              />
            </div>
          ))}
        </div>
        <div class="actions">
          <button type="submit" data-needless>
            Show what would change
          </button>
          <button class="primary" type="submit" formmethod="post" formaction={base}>
            Apply
          </button>
          <span class="small">A new settings revision; you can go back to this one.</span>
        </div>
      </form>
      <div data-preview>
        {/* Above it is said already. */}
        {view.problem === null ? <PreviewPart {...view} /> : null}
      </div>
      {revisions.length < 2 ? null : <RevisionList project={project} revisions={revisions} />}
    </Layout>
  )
}

/** The part that changes while a threshold is dragged. */
export function PreviewPart({ project, preview, problem }: ThresholdsView) {
  if (problem !== null) {
    return (
      <section data-preview-body aria-live="polite">
        <p class="notice">{problem.detail}</p>
      </section>
    )
  }
  const { before, after, flips, examples, lookedAt, isPart, isGrowing } = preview
  return (
    <section
      data-preview-body
      data-growing={String(isGrowing)}
      aria-live={isGrowing ? 'off' : 'polite'}
    >
      <h2>
        {flips === 0 ? 'Nothing would change' : `${plural(flips, 'record')} would change`}
        {isGrowing ? ' so far' : ''}
      </h2>
      <ul class="legend">
        <Numbers word="matched" fill="matched" {...{ before, after }} of="matched" />
        <Numbers word="for review" fill="review" {...{ before, after }} of="review" />
        <Numbers word="without candidate" fill="none" {...{ before, after }} of="noCandidate" />
      </ul>
      {isGrowing ? (
        <p class="notice">
          Still counting: {numberText(lookedAt)} records so far. The others follow by themselves
          where scripts run; otherwise look again in a moment.
        </p>
      ) : isPart ? (
        <p class="notice">
          Counted in the first {numberText(lookedAt)} records of the file only; applied to all.
        </p>
      ) : null}
      {examples.length === 0 ? null : (
        <div class="scroll" tabindex={0} role="region" aria-label="Records that would change">
          <table>
            <thead>
              <tr>
                <th scope="col">Record</th>
                <th scope="col">Now</th>
                <th scope="col">Then</th>
                <th scope="col">Because</th>
              </tr>
            </thead>
            <tbody>
              {examples.map(({ entry, name, before: now, after: then }) => (
                <tr>
                  <th scope="row">
                    <a href={`/p/${project.id}/entry?${queryText({ entry })}`}>
                      {name === '' ? '(no name)' : name}
                    </a>
                    <small>{entry}</small>
                  </th>
                  <td>{conclusionText(now)}</td>
                  <td>
                    <b>{conclusionText(then)}</b>
                  </td>
                  <td>{then.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {flips > examples.length ? (
        <p class="small">The first {examples.length} of them, in the order of the file.</p>
      ) : null}
    </section>
  )
}

function Numbers({
  word,
  fill,
  before,
  after,
  of,
}: {
  word: string
  fill: string
  before: OutcomeNumbers
  after: OutcomeNumbers
  of: keyof OutcomeNumbers
}) {
  const change = after[of] - before[of]
  const sign = change > 0 ? '+' : '−'
  return (
    <li>
      <span class={`dot fill-${fill}`} aria-hidden="true" />
      <b>{numberText(after[of])}</b> {word}
      {change === 0 ? '' : ` (${sign}${numberText(Math.abs(change))})`}
    </li>
  )
}

function RevisionList({
  project,
  revisions,
}: {
  project: Project
  revisions: readonly SettingsRevision[]
}) {
  return (
    <section>
      <h2>Settings before</h2>
      <ul class="acts">
        {revisions.map(({ revision, settings: { thresholds }, madeAt }) => (
          <li>
            <span>
              Revision {revision}: match {thresholds.match}, lead {thresholds.lead}, review{' '}
              {thresholds.review} <small>{timeText(madeAt)}</small>
            </span>
            {revision === project.revision ? (
              <span class="badge">in use</span>
            ) : (
              <form method="post" action={`/p/${project.id}/restore`}>
                <input type="hidden" name="revision" value={revision} />
                <button type="submit">Back to revision {revision}</button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function conclusionText({ outcome, qid }: Conclusion): string {
  if (outcome === 'matched') return `matched ${qid ?? ''}`
  if (outcome === 'review') return `for review${qid === null ? '' : `, perhaps ${qid}`}`
  return outcome.replace('_', ' ')
}
