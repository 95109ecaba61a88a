import { type ColumnRole, columnRoles } from '../../core/mapping/suggest-mapping.ts'
import { knownPropertyIds, propertyNames } from '../../core/known-properties.ts'
import type { DraftColumn } from '../import-draft.ts'

const words: Readonly<Record<ColumnRole, string>> = {
  skip: 'not used',
  id: 'the id: tells records apart',
  name: 'the name, or a part of it',
  variant: 'another name',
  property: 'evidence: a property',
  earlier: 'the item, found earlier',
}

/** What each column of a file is, as fields. Those of a property show only where it is one. */
export function ColumnRoles({
  columns,
  examples,
}: {
  columns: readonly DraftColumn[]
  /** First cells that are not blank, by column. */
  examples: readonly (readonly string[])[]
}) {
  return (
    <>
      <ul class="columns">
        {columns.map(({ column, role, pid, separator, use, why }, at) => (
          <li>
            <div>
              <b>{column}</b>
              <small>{examples[at]?.join(' · ') || '(blank)'}</small>
              {why === '' ? null : <small>Proposed: {why}</small>}
            </div>
            <div class="fields">
              <label>
                is
                <select name={`role-${at}`} aria-label={`What column ${column} is`}>
                  {columnRoles.map((one) => (
                    <option value={one} selected={one === role}>
                      {words[one]}
                    </option>
                  ))}
                </select>
              </label>
              <label class="of-property">
                Property
                <input
                  name={`pid-${at}`}
                  value={pid}
                  list="properties"
                  placeholder="P569"
                  aria-label={`Property of column ${column}`}
                />
              </label>
              <label class="of-property">
                Used
                <select name={`use-${at}`} aria-label={`How column ${column} is used`}>
                  <option value="send" selected={use === 'send'}>
                    sent with the question
                  </option>
                  <option value="compare" selected={use === 'compare'}>
                    compared here only
                  </option>
                </select>
              </label>
              <label class="of-several">
                Between values
                <input
                  class="short"
                  name={`separator-${at}`}
                  value={separator}
                  placeholder="one"
                  aria-label={`What stands between values of column ${column}`}
                />
              </label>
            </div>
          </li>
        ))}
      </ul>
      <datalist id="properties">
        {knownPropertyIds.map((id) => (
          <option value={id}>{propertyNames(id)[0]}</option>
        ))}
      </datalist>
    </>
  )
}
