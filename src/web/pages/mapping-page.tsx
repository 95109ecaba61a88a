import { entityKinds } from '../../core/project-settings.ts'
import type { ImportDraft } from '../import-draft.ts'
import type { MappingLook } from '../mapping-look.ts'
import { ColumnRoles } from '../parts/column-roles.tsx'
import { Layout } from '../parts/layout.tsx'
import { RawRows } from '../parts/raw-rows.tsx'
import { SentTable } from '../parts/sent-table.tsx'
import type { Problem } from '../problem.ts'

/** A file that was sent: its first rows, and what a person says of its columns. */
export function MappingPage({
  upload,
  fileName,
  look,
  draft,
  problem,
}: {
  upload: string
  fileName: string
  look: MappingLook
  draft: ImportDraft
  /** Why it was not imported; what was entered stands below. */
  problem: Problem | null
}) {
  const isNamed = ['wikidata', 'sample'].includes(draft.service)
  return (
    <Layout
      title={`Import ${fileName}`}
      crumbs={[{ text: 'Import', href: '/import' }, { text: fileName }]}
    >
      <h1>Import {fileName}</h1>
      {problem === null ? null : (
        <div class="notice bad" role="alert">
          <p class="lines">{problem.detail}</p>
          {problem.hint === undefined ? null : <p class="lines">{problem.hint}</p>}
        </div>
      )}
      <p class="small lines">{look.understood.join('\n')}</p>
      <form method="post" action={`/import/${upload}`} class="mapping">
        <h2>What each column is</h2>
        <p class="small">
          A proposal, by names and first cells. What is not used is kept, and comes back in the
          export.
        </p>
        <ColumnRoles columns={draft.columns} examples={look.examples} />
        <h2>What the records are, and who is asked</h2>
        <div class="fields">
          <label>
            They are
            <select name="kind">
              {entityKinds.map((kind) => (
                <option value={kind} selected={kind === draft.kind}>
                  {kind === 'generic' ? 'of any kind' : `${kind}s`}
                </option>
              ))}
            </select>
          </label>
          <label>
            Only items of these types
            <input name="types" value={draft.types} placeholder="any, or Q5" />
          </label>
          <label>
            Languages of the names, best first
            <input name="languages" value={draft.languages} required />
          </label>
          <label>
            Ask
            <select name="service">
              <option value="wikidata" selected={draft.service === 'wikidata'}>
                Wikidata
              </option>
              <option value="sample" selected={draft.service === 'sample'}>
                the sample service of this machine
              </option>
              <option value="other" selected={!isNamed}>
                another reconciliation service
              </option>
            </select>
          </label>
          <label class="address">
            Its address
            <input
              name="address"
              value={isNamed ? '' : draft.service}
              placeholder="https://… or http://127.0.0.1:8001"
            />
          </label>
          <label>
            Keep it as dataset
            <input name="dataset" value={draft.dataset} required maxlength={200} />
          </label>
        </div>
        {look.isKnownDataset ? (
          <p class="notice">
            There is a dataset of this name: its records are brought up to date by their id.{' '}
            <label class="check">
              <input type="checkbox" name="append" value="yes" checked={draft.append} /> the file
              only adds to it
            </label>
          </p>
        ) : null}
        <div class="actions">
          <button name="do" value="look" type="submit">
            Show what it would send
          </button>
          <button class="primary" name="do" value="import" type="submit">
            Import
          </button>
          <span class="small">Nothing is sent yet.</span>
        </div>
      </form>
      {look.sent === null ? null : (
        <>
          <h2 id="sent">What a match would send to {look.sent.to}</h2>
          <SentTable sent={look.sent.columns} kept={look.sent.kept} />
        </>
      )}
      <h2>The first {look.records.length} rows</h2>
      <RawRows columns={look.columns} records={look.records} />
      {look.rejected.length === 0 ? null : (
        <>
          <h3>Lines that cannot be read</h3>
          <ul>
            {look.rejected.map(({ line, reason }) => (
              <li>
                Line {line} {reason}.
              </li>
            ))}
          </ul>
        </>
      )}
    </Layout>
  )
}
