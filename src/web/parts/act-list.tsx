import type { JudgmentAct } from '../../db/judgment-acts.repo.ts'
import { plural, timeText } from './words.ts'
import { queryText } from '../query-text.ts'

/** What people did last; each can be undone as one. */
export function ActList({ project, acts }: { project: number; acts: readonly JudgmentAct[] }) {
  if (acts.length === 0) return null
  return (
    <section aria-labelledby="acts">
      <h2 id="acts">What was judged last</h2>
      <ul class="acts">
        {acts.map((act) => (
          <li>
            <span>
              {timeText(act.at)} · {act.by}: {actText(act)}
              {act.undone ? ' (undone)' : ''}
            </span>
            {act.externalId !== null && act.judgments === 1 ? (
              <a href={`/p/${project}/entry?${queryText({ entry: act.externalId })}`}>
                record {act.externalId}
              </a>
            ) : null}
            {act.undone || act.way === 'undo' ? null : (
              <form method="post" action={`/p/${project}/undo`}>
                <input type="hidden" name="act" value={act.id} />
                <input type="hidden" name="back" value="project" />
                <button type="submit">Undo</button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function actText({ way, rule, judgments, verdict, qid }: JudgmentAct): string {
  if (way === 'undo') return `took back ${plural(judgments, 'judgment')}`
  if (rule !== null) {
    return `accepted ${plural(judgments, 'record')} by a rule: score from ${rule.minScore}, lead from ${rule.minMargin}${rule.single ? ', one candidate' : ''}`
  }
  return `${(verdict ?? '').replaceAll('_', ' ')}${qid === null ? '' : ` ${qid}`}`
}
