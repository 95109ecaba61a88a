import type { RunProgress } from '../run-state.ts'
import { plural, runWords, timeText } from './words.ts'

const OPEN: ReadonlySet<RunProgress['status']> = new Set(['running', 'paused', 'cancelling'])

/** The latest run of a project with its buttons. Its numbers are kept fresh by the script, where it runs. */
export function RunPanel({
  project,
  run,
  due,
}: {
  project: number
  run: RunProgress | null
  /** Records that a start would take up; null: not counted here. */
  due: number | null
}) {
  const isOpen = run !== null && OPEN.has(run.status)
  return (
    <section
      class="run"
      aria-label="Latest run"
      {...(isOpen ? { 'data-events': `/projects/${project}/runs/${run.run}/events` } : {})}
    >
      {run === null ? (
        <p>No run yet.</p>
      ) : (
        <>
          <p class="run-line">
            <strong>
              Run {run.run}
              {run.isSample ? ' (sample)' : ''}
            </strong>{' '}
            <span class={`badge run-${run.status}`} data-live="status" data-status={run.status}>
              {runWords[run.status]}
            </span>{' '}
            <span data-live="reason">{run.reason ?? ''}</span>
          </p>
          {isOpen ? (
            <>
              <progress
                max={Math.max(1, run.records)}
                value={run.finished}
                aria-label="Records finished"
                data-live="bar"
              />
              <p class="small" aria-live="polite" data-live="text">
                {run.text}
              </p>
              <p class="small waiting" data-live="waiting">
                {run.waiting ?? ''}
              </p>
            </>
          ) : (
            <p class="small">
              {plural(run.finished, 'record')} · {plural(run.requests.sent, 'request')} sent ·{' '}
              {timeText(run.endedAt ?? run.startedAt)}
            </p>
          )}
        </>
      )}
      <div class="actions">
        {isOpen && run.status === 'running' ? (
          <Action {...{ project }} verb="pause" text="Pause" />
        ) : null}
        {isOpen && run.status === 'paused' ? (
          <Action {...{ project }} verb="resume" text="Resume" />
        ) : null}
        {isOpen && run.status !== 'cancelling' ? (
          <Action {...{ project }} verb="cancel" text="Cancel" />
        ) : null}
        {isOpen ? null : due === 0 ? (
          <span class="small">Nothing is due.</span>
        ) : (
          <Action
            {...{ project }}
            verb="start"
            text={due === null ? 'Start the match' : `Match ${plural(due, 'record')}`}
          />
        )}
      </div>
    </section>
  )
}

/** Between a start and its first word; the script draws the run as soon as it is there. */
export function StartingPanel({ project, id }: { project: number; id: string }) {
  return (
    <section
      class="run"
      aria-label="Latest run"
      data-events={`/projects/${project}/runs/${id}/events`}
    >
      <p class="run-line">
        <strong>The run</strong>{' '}
        <span class="badge run-running" data-live="status" data-status="starting">
          starting
        </span>{' '}
        <a href={`/p/${project}?starting=${id}`}>Look again</a>
      </p>
    </section>
  )
}

function Action({ project, verb, text }: { project: number; verb: string; text: string }) {
  return (
    <form method="post" action={`/p/${project}/${verb}`}>
      <button type="submit">{text}</button>
    </form>
  )
}
