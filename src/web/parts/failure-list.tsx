import type { ProjectFailure } from '../../client/failures/project-failures.ts'
import { plural } from './words.ts'
import { queryText } from '../query-text.ts'

/** What could not be asked, by code, each with its way out. */
export function FailureList({
  project,
  failures,
}: {
  project: number
  failures: readonly ProjectFailure[]
}) {
  if (failures.length === 0) return null
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Could not be asked</h2>
      {failures.map(({ code, count, example, advice }) => (
        <div class="card failure">
          <p>
            <strong>{plural(count, 'record')}</strong>: <code>{code}</code>{' '}
            <a href={`/p/${project}?${queryText({ status: 'failed', code })}#records`}>which</a>
          </p>
          <p>{advice}</p>
          <p class="small">
            Such as {example.entry}: {example.message ?? 'no message'}
          </p>
          <form method="post" action={`/p/${project}/retry`}>
            <input type="hidden" name="code" value={code} />
            <button type="submit">Ask again for these</button>
          </form>
        </div>
      ))}
    </section>
  )
}
