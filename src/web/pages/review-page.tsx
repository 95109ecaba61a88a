import type { CandidateType } from '../../db/candidate-types.repo.ts'
import type { EntryCount } from '../../db/entry-pages.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { PageQuery } from '../page-query.ts'
import { viewQuery } from '../page-query.ts'
import { hasPictures } from '../candidate-picture.ts'
import type { ReviewCardData } from '../review-card.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { JudgeForm } from '../parts/judge-form.tsx'
import { KeyHelp } from '../parts/key-help.tsx'
import { Layout, ReviewerForm } from '../parts/layout.tsx'
import { UndoForm } from '../parts/undo-form.tsx'
import { numberText } from '../number-text.ts'
import { plural } from '../parts/words.ts'

export interface ReviewView {
  readonly project: Project
  readonly query: PageQuery
  readonly reviewer: string | null
  /** To choose from. */
  readonly types: readonly CandidateType[]
  /** Null: the queue has none here. */
  readonly card: ReviewCardData | null
  /** In the queue, as a cursor; '' outside. */
  readonly place: string
  /** Records of the queue that are left; null: not counted. */
  readonly left: EntryCount | null
  readonly skipped: number
  /** Judged today by this person. */
  readonly today: number
}

export function ReviewPage(view: ReviewView) {
  const { project, query, reviewer, left, skipped, today } = view
  const base = `/p/${project.id}/review`
  const here = `${base}?${viewQuery(query)}`
  return (
    <Layout
      title={`Review, ${project.name}`}
      crumbs={[{ text: project.name, href: `/p/${project.id}` }, { text: 'Review' }]}
      reviewer={reviewer}
      here={here}
    >
      <div class="review-head">
        <h1>Review</h1>
        <p class="counts" data-counts data-left={left?.count ?? 0}>
          {left?.isAll === false ? 'more than ' : ''}
          <b data-count="left">{left === null ? '' : numberText(left.count)}</b> left ·{' '}
          <b data-count="today">{numberText(today)}</b> judged by you today ·{' '}
          <b data-count="skipped">{numberText(skipped)}</b> left for later{' '}
          <span data-count="pace" />
        </p>
        <div class="switches">
          <a
            class="button"
            href={`${base}?${viewQuery({ ...query, blind: query.blind === '1' ? undefined : '1' })}`}
          >
            {query.blind === '1' ? 'Show scores' : 'Hide scores'}
          </a>
          {hasPictures(project) ? (
            <a
              class="button"
              href={`${base}?${viewQuery({ ...query, pictures: query.pictures === '1' ? undefined : '1' })}`}
            >
              {query.pictures === '1' ? 'Hide pictures' : 'Show pictures'}
            </a>
          ) : null}
          {skipped > 0 ? (
            <form method="post" action={`/p/${project.id}/unskip`}>
              <input type="hidden" name="view" value={viewQuery(query)} />
              <button type="submit">Take up {plural(skipped, 'record')} again</button>
            </form>
          ) : null}
        </div>
      </div>
      {query.audit === undefined ? null : (
        <p class="notice">
          A sample of automatic matches: say for each what it is.{' '}
          <a href={`/p/${project.id}#audits`}>How many are right</a>
        </p>
      )}
      {reviewer === null ? (
        <div class="card">
          <p>Each judgment says who made it. It is asked once, and kept in this browser.</p>
          <ReviewerForm reviewer={null} back={here} />
        </div>
      ) : (
        <div data-card>
          <ReviewCard {...view} />
        </div>
      )}
      <details class="filter-box">
        <summary>Which records, and in which order</summary>
        <FilterForm
          action={base}
          query={query}
          types={view.types}
          usual="doubt"
          submit="Show these"
        />
      </details>
      <KeyHelp />
    </Layout>
  )
}

/** The part that changes from record to record. */
export function ReviewCard({ project, query, card, place }: ReviewView) {
  const base = `/p/${project.id}/review`
  const likeness = card === null || card.equal.count === 0 ? '' : card.likeness
  const unlike: Readonly<Record<string, string>> = likeness === '' ? {} : { unlike: likeness }
  const next = `${base}?${viewQuery(query, { from: place, ...unlike })}`
  const before = `${base}?${viewQuery(query, { before: place })}`
  return (
    <div
      class="review-card"
      data-card-body
      data-likeness={likeness}
      data-rows={card === null ? 1 : card.equal.count + 1}
      data-next={place === '' ? `${base}?${viewQuery(query)}` : next}
      data-before={place === '' ? '' : before}
    >
      <div class="moves">
        {place === '' ? null : (
          <a class="button" href={before} rel="prev" data-key="ArrowLeft">
            ← Before
          </a>
        )}
        <UndoForm project={project.id} query={query} act={query.done} said={query.said} />
        {place === '' ? (
          card === null ? null : (
            <a class="button" href={`${base}?${viewQuery(query)}`}>
              To the queue
            </a>
          )
        ) : (
          <a class="button" href={next} rel="next" data-key="ArrowRight">
            Next →
          </a>
        )}
      </div>
      {card === null ? (
        <div class="card done">
          <p>
            <strong>Nothing is left here.</strong>
          </p>
          <p>
            <a href={`${base}?${viewQuery(query)}`}>From the first</a> ·{' '}
            <a href={`/p/${project.id}`}>To the project</a>
          </p>
        </div>
      ) : (
        <JudgeForm project={project} card={card} query={query} place={place} />
      )}
    </div>
  )
}
