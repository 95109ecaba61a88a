import type { Audit } from '../../db/audits.repo.ts'
import { plural, timeText } from './words.ts'

export interface AuditRow extends Audit {
  readonly precision: {
    readonly share: number
    readonly low: number
    readonly high: number
  } | null
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** Random samples of automatic matches, and what people found. */
export function AuditSection({
  project,
  audits,
}: {
  project: number
  audits: readonly AuditRow[]
}) {
  return (
    <section aria-labelledby="audits">
      <h2 id="audits">Are the automatic matches right?</h2>
      <p>
        Draw some at random and judge them: the share that is right, with its 95 % interval, holds
        for all of them.
      </p>
      {audits.map(({ id, by, at, drawn, judged, right, precision }) => (
        <p class="audit">
          Sample {id} of {plural(drawn, 'match', 'matches')}, drawn by {by}, {timeText(at)}:{' '}
          {precision === null ? (
            'none is judged yet'
          ) : (
            <>
              {judged} judged, {right} right: <strong>{percent(precision.share)}</strong> (
              {percent(precision.low)} to {percent(precision.high)})
            </>
          )}
          {judged < drawn ? (
            <>
              {' · '}
              <a href={`/p/${project}/review?audit=${id}&order=file`}>judge the others</a>
            </>
          ) : null}
        </p>
      ))}
      <form method="post" action={`/p/${project}/audit`} class="inline">
        <label>
          How many
          <input name="size" type="number" min="1" max="10000" value="50" required />
        </label>
        <button type="submit">Draw a sample</button>
      </form>
    </section>
  )
}
