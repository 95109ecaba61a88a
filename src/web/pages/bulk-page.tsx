import type { ListedEntry } from '../../db/entry-pages.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { BulkRule } from '../../db/tables/judgment-act.table.ts'
import { EntryTable } from '../parts/entry-table.tsx'
import { Layout, ReviewerForm } from '../parts/layout.tsx'
import { plural } from '../parts/words.ts'
import { queryText } from '../query-text.ts'

/** Many records accepted at once: first the number and ten of them at random, then the act, which is undone as one. */
export function BulkPage({
  project,
  rule,
  count,
  examples,
  seed,
  reviewer,
}: {
  project: Project
  rule: BulkRule
  count: number
  examples: readonly ListedEntry[]
  seed: number
  reviewer: string | null
}) {
  const base = `/p/${project.id}/bulk`
  const ofRule = {
    min_score: String(rule.minScore),
    min_margin: String(rule.minMargin),
    ...(rule.single ? { single: 'yes' } : {}),
  }
  const here = `${base}?${queryText(ofRule)}`
  return (
    <Layout
      title="Accept many by a rule"
      crumbs={[{ text: project.name, href: `/p/${project.id}` }, { text: 'Accept by a rule' }]}
      reviewer={reviewer}
      here={here}
    >
      <h1>Accept many by a rule</h1>
      <p>
        For records that need review: their best candidate is taken where all of this holds. Records
        with a veto, with a name that differs, with a list that was cut off, or with a candidate
        that a person rejected are never among them.
      </p>
      <form method="get" action={base} class="filters">
        <div class="fields">
          <label>
            Score from
            <input
              name="min_score"
              type="number"
              min="0"
              max="100"
              step="any"
              value={rule.minScore}
              required
            />
          </label>
          <label>
            Lead from
            <input
              name="min_margin"
              type="number"
              min="0"
              max="100"
              step="any"
              value={rule.minMargin}
              required
            />
          </label>
          <label class="check">
            <input name="single" type="checkbox" value="yes" checked={rule.single} /> only one
            candidate
          </label>
          <button type="submit">Show what it takes in</button>
        </div>
      </form>
      <h2>{plural(count, 'record')}</h2>
      {count === 0 ? (
        <p>The rule takes in nothing.</p>
      ) : (
        <>
          <p>
            {count > examples.length
              ? `${examples.length} of them, drawn at random.`
              : 'All of them.'}{' '}
            <a href={`${base}?${queryText({ ...ofRule, seed: String(seed + 1) })}`}>Draw others</a>
          </p>
          <EntryTable project={project.id} settings={project.settings} entries={examples} />
          {reviewer === null ? (
            <ReviewerForm reviewer={null} back={here} />
          ) : (
            <form method="post" action={base}>
              <input type="hidden" name="min_score" value={rule.minScore} />
              <input type="hidden" name="min_margin" value={rule.minMargin} />
              {rule.single ? <input type="hidden" name="single" value="yes" /> : null}
              <input type="hidden" name="expected" value={count} />
              <button class="primary" type="submit">
                Accept {plural(count, 'record')} as {reviewer}
              </button>{' '}
              <span class="small">It can be undone as one.</span>
            </form>
          )}
        </>
      )}
    </Layout>
  )
}
