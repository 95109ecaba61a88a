import { durationText } from '../../core/work-rate.ts'
import type { Project } from '../../db/projects.repo.ts'
import { numberText } from '../number-text.ts'
import { Layout } from '../parts/layout.tsx'
import { SentTable } from '../parts/sent-table.tsx'
import { plural } from '../parts/words.ts'
import type { StartLook } from '../start-look.ts'

/** Records of the first try. */
const SAMPLE_SIZE = 20
const SECOND_MS = 1_000

/** Before a match: what it would do, what is sent where, and a try on a few. */
export function BeginPage({
  project,
  look,
  rejected,
}: {
  project: Project
  look: StartLook
  /** Lines that the import left out; null: it did not just happen. */
  rejected: number | null
}) {
  const { report, refusal } = look
  const { questions, requests, durationMs, openRun } = report
  const due = Object.values(report.due.due).reduce((sum, count) => sum + count, 0)
  return (
    <Layout
      title={`Before the match, ${project.name}`}
      crumbs={[{ text: project.name, href: `/p/${project.id}` }, { text: 'Before the match' }]}
    >
      <h1>Before the match</h1>
      {rejected === null || rejected === 0 ? null : (
        <p class="notice bad">
          {plural(rejected, 'line')} of the file could not be read and{' '}
          {rejected === 1 ? 'was' : 'were'} left out. The command{' '}
          <code>./record-linker import</code> lists them.
        </p>
      )}
      {refusal === null ? null : (
        <div class="notice bad">
          <p>A start would be refused: {refusal.message}</p>
          <pre class="hint">{refusal.hint}</pre>
        </div>
      )}
      <dl class="facts">
        <dt>Records</dt>
        <dd>
          {plural(due, 'record')} to be matched
          {questions.recordsWithoutName === 0
            ? ''
            : `; ${numberText(questions.recordsWithoutName)} of them have no name to ask for`}
        </dd>
        <dt>Questions</dt>
        <dd>
          {numberText(questions.distinct)} distinct, {numberText(questions.answered)} of them
          answered before
        </dd>
        <dt>Requests</dt>
        <dd>
          {spanText(requests.least, requests.most, numberText)}
          {durationMs === null
            ? ''
            : durationMs.most < SECOND_MS
              ? ', in less than a second'
              : `, in about ${spanText(durationMs.least, durationMs.most, durationText)}`}
        </dd>
      </dl>
      <div class="actions">
        {openRun !== null ? (
          <a class="button primary" href={`/p/${project.id}`}>
            Run {openRun} is going on: look at it
          </a>
        ) : due === 0 ? (
          <a class="button primary" href={`/p/${project.id}`}>
            Nothing is due: to the project
          </a>
        ) : (
          <>
            {due > SAMPLE_SIZE ? (
              <form method="post" action={`/p/${project.id}/start`}>
                <input type="hidden" name="sample" value={SAMPLE_SIZE} />
                <button class="primary" type="submit">
                  Try {SAMPLE_SIZE} records, drawn at random
                </button>
              </form>
            ) : null}
            <form method="post" action={`/p/${project.id}/start`}>
              <button class={due > SAMPLE_SIZE ? '' : 'primary'} type="submit">
                Match {due > SAMPLE_SIZE ? `all ${plural(due, 'record')}` : plural(due, 'record')}
              </button>
            </form>
          </>
        )}
      </div>
      {report.services.map(({ service, host, sent, kept, firstRequest }) => (
        <section>
          <h2>What is sent to {host ?? service}</h2>
          <SentTable sent={sent} kept={kept} />
          {firstRequest === null ? null : (
            <details>
              <summary>The first request, as it would be sent</summary>
              <pre class="hint">{requestText(firstRequest)}</pre>
            </details>
          )}
        </section>
      ))}
      <p class="small">No other machine is asked. Nothing has been sent yet.</p>
    </Layout>
  )
}

function requestText({
  method,
  url,
  headers,
  body,
}: NonNullable<StartLook['report']['services'][number]['firstRequest']>): string {
  return [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', body]),
  ].join('\n')
}

function spanText(least: number, most: number, text: (value: number) => string): string {
  return text(least) === text(most) ? text(least) : `${text(least)} to ${text(most)}`
}
