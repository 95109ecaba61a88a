import type { Project } from '../../db/projects.repo.ts'
import type { PageQuery } from '../page-query.ts'
import { viewQuery } from '../page-query.ts'
import type { ReviewCardData } from '../review-card.ts'
import { numberText } from '../number-text.ts'
import { Comparison } from './comparison.tsx'
import { statusText } from './words.ts'

/** One record with everything that can be said of it: a form that works as it is, and by keys where the script runs. */
export function JudgeForm({
  project,
  card,
  query,
  place,
}: {
  project: Project
  card: ReviewCardData
  query: PageQuery
  /** In the queue; '' outside of it. */
  place: string
}) {
  const { explanation, candidates, hidden, holding, seen } = card
  const { entry, record, decision, status } = explanation
  const blind = query.blind === '1'
  const keep = viewQuery(query)
  const name = record.names[0] ?? '(no name)'
  return (
    <form
      method="post"
      action={`/p/${project.id}/judge`}
      class="judge"
      data-judge
      data-entry={entry}
    >
      <input type="hidden" name="entry" value={entry} />
      <input type="hidden" name="seen" value={seen} />
      <input type="hidden" name="place" value={place} />
      <input type="hidden" name="view" value={keep} />
      {/* Enter in a field presses the first button of a form, which must not be that of a candidate. */}
      <button
        class="unseen"
        type="submit"
        formmethod="get"
        formaction={`/p/${project.id}/search`}
        tabindex={-1}
        aria-hidden="true"
      >
        Search for what is in the field
      </button>
      <p class="state">
        <span class={`badge is-${status}`}>{statusText(status, holding?.by ?? null)}</span>{' '}
        {explanation.error === null ? null : (
          <span>
            Could not be asked, which is not “no match”: {explanation.error.code}.{' '}
            {explanation.error.message}
          </span>
        )}
        {decision === null || blind ? null : <span>{decision.reason}</span>}
        {decision?.outdatedBy == null ? null : (
          <span class="badge bad">
            {decision.outdatedBy === 'changed_cells'
              ? 'the record changed since it was decided'
              : 'the settings changed since it was decided'}
          </span>
        )}
      </p>
      <Comparison
        name={name}
        entry={entry}
        otherNames={record.names.slice(1)}
        candidates={candidates}
        blind={blind}
        chosen={explanation.qid}
        canChoose={seen !== ''}
        pictures={query.pictures === '1' ? `/p/${project.id}/picture` : null}
      />
      {candidates.length === 0 ? <p>No candidate was found.</p> : null}
      {hidden > 0 ? (
        <p>
          <a href={`?${viewQuery(query, { entry, all: '1' })}`}>Show {hidden} more candidates</a>
        </p>
      ) : null}
      {seen === '' ? (
        <p class="notice">The project has not looked at this record yet; a match does.</p>
      ) : (
        <>
          <EqualRowsNote {...{ project, query, equal: card.equal }} />
          <div class="verdicts" role="group" aria-label="What it is">
            <button name="say" value="none_fits" data-key="0" type="submit">
              None of these <kbd>0</kbd>
            </button>
            <button name="say" value="not_in_wikidata" data-key="n" type="submit">
              Not in the knowledge base <kbd>n</kbd>
            </button>
            <button name="say" value="not_applicable" data-key="x" type="submit">
              Not applicable <kbd>x</kbd>
            </button>
            <button name="say" value="skip" data-key="s" type="submit">
              Later <kbd>s</kbd>
            </button>
          </div>
          <div class="other">
            <label>
              <span>
                Another item: its name, or its id <kbd>/</kbd>
              </span>
              <input
                name="item"
                placeholder={`${name === '(no name)' ? 'Douglas Adams' : name}, or Q42`}
                autocomplete="off"
                maxlength={200}
                data-focus="/"
              />
            </label>
            <button
              type="submit"
              formmethod="get"
              formaction={`/p/${project.id}/search`}
              data-search
            >
              Search
            </button>
            <button name="say" value="item" type="submit">
              Take this id
            </button>
            <label>
              <span>
                Comment <kbd>c</kbd>
              </span>
              <input name="note" maxlength={2000} autocomplete="off" data-focus="c" />
            </label>
          </div>
          <div data-found aria-live="polite" />
        </>
      )}
    </form>
  )
}

/** What is said is said of each of them, unless it is split. */
function EqualRowsNote({
  project,
  query,
  equal,
}: {
  project: Project
  query: PageQuery
  equal: ReviewCardData['equal']
}) {
  const { count, entries } = equal
  if (count === 0) return null
  const unnamed = count - entries.length
  return (
    <div class="equal">
      <details>
        <summary>
          Applies to {numberText(count + 1)} rows: {numberText(count)} more{' '}
          {count === 1 ? 'is' : 'are'} equal in all mapped fields
        </summary>
        <ul>
          {entries.map((entry) => (
            <li>
              <a href={`/p/${project.id}/review?${viewQuery(query, { entry })}`}>{entry}</a>
            </li>
          ))}
          {unnamed === 0 ? null : <li>and {numberText(unnamed)} more</li>}
        </ul>
      </details>
      <label class="check">
        <input type="checkbox" name="scope" value="one" /> Judge only this one
      </label>
    </div>
  )
}
