import type { ProjectCounts } from '../../db/run-progress.repo.ts'
import { numberText } from '../number-text.ts'

/** How the records of a project stand: a bar, and the same in words. */
export function OutcomeBar({ counts, project }: { counts: ProjectCounts; project: number }) {
  const open = counts.cancelled + counts.queued + counts.fresh
  const parts = [
    { name: 'matched', word: 'matched', count: counts.matched, status: 'matched' },
    { name: 'review', word: 'for review', count: counts.review, status: 'review' },
    {
      name: 'none',
      word: 'without candidate',
      count: counts.noCandidate,
      status: 'no_candidate,none_fits,not_in_wikidata',
    },
    {
      name: 'skipped',
      word: 'set aside',
      count: counts.skipped,
      status: 'skipped,not_applicable',
    },
    { name: 'failed', word: 'could not be asked', count: counts.failed, status: 'failed' },
    { name: 'open', word: 'open', count: open, status: 'new,queued,cancelled' },
  ].filter(({ count }) => count > 0)
  const total = Math.max(
    1,
    parts.reduce((sum, { count }) => sum + count, 0),
  )
  let x = 0
  return (
    <div class="outcomes" data-fresh>
      <svg class="stack" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ name, count }) => {
          const width = (count / total) * 1000
          x += width
          return <rect class={`fill-${name}`} x={x - width} y="0" width={width} height="12" />
        })}
      </svg>
      <ul class="legend">
        {parts.map(({ name, word, count, status }) => (
          <li>
            <a href={`/p/${project}?status=${status}#records`}>
              <span class={`dot fill-${name}`} aria-hidden="true" />
              <b>{numberText(count)}</b> {word}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
