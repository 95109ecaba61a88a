import { mapRecord } from '../../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { ListedEntry } from '../../db/entry-pages.repo.ts'
import { statusText } from './words.ts'
import { queryText } from '../query-text.ts'

/** Records in a list, each with its result and a link to its evidence. */
export function EntryTable({
  project,
  settings,
  entries,
}: {
  project: number
  settings: ProjectSettings
  entries: readonly ListedEntry[]
}) {
  if (entries.length === 0) return <p>No record is like that.</p>
  return (
    <div class="scroll">
      <table class="entries">
        <thead>
          <tr>
            <th scope="col">Record</th>
            <th scope="col">State</th>
            <th scope="col">Best candidate</th>
            <th scope="col" class="number">
              Score
            </th>
            <th scope="col" class="number">
              Lead
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr>
              <th scope="row">
                <a href={`/p/${project}/entry?${queryText({ entry: entry.externalId })}`}>
                  {mapRecord(entry.cells, settings).names[0] ?? '(no name)'}
                </a>
                <small>{entry.externalId}</small>
              </th>
              <td>
                <span class={`badge is-${entry.status}`}>{statusText(entry.status, entry.by)}</span>
                {entry.stale ? <span class="badge bad">changed since</span> : null}
                {entry.status === 'failed' ? (
                  <small>
                    {entry.errorCode}: {entry.errorMessage}
                  </small>
                ) : null}
              </td>
              <td>
                {entry.bestId === null ? (
                  ''
                ) : (
                  <>
                    {entry.bestLabel ?? entry.bestId} <small>{entry.bestId}</small>
                    {entry.bestDescription === null ? null : <small>{entry.bestDescription}</small>}
                    {entry.qid !== null && entry.qid !== entry.bestId ? (
                      <small>chosen: {entry.qid}</small>
                    ) : null}
                  </>
                )}
              </td>
              <td class="number">{entry.score === null ? '' : Math.round(entry.score)}</td>
              <td class="number">{entry.margin === null ? '' : Math.round(entry.margin)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
