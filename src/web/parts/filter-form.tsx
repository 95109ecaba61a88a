import { entryStatuses } from '../../db/entry-filter.ts'
import type { CandidateType } from '../../db/candidate-types.repo.ts'
import type { EntryQuery } from '../entry-query.ts'
import { numberText } from '../number-text.ts'
import { statusWord } from './words.ts'

const orders = {
  doubt: 'most doubtful first',
  score: 'best score first',
  file: 'as in the file',
} as const

/** All filters as a form that puts them into the address. */
export function FilterForm({
  action,
  query,
  types,
  usual,
  submit,
}: {
  action: string
  query: EntryQuery
  types: readonly CandidateType[]
  /** The order where none is chosen. */
  usual: keyof typeof orders
  submit: string
}) {
  const chosen = new Set((query.status ?? '').split(','))
  return (
    <form method="get" action={action} class="filters" data-filter>
      <fieldset>
        <legend>State</legend>
        <div class="checks">
          {entryStatuses.map((status) => (
            <label>
              <input type="checkbox" name="status" value={status} checked={chosen.has(status)} />{' '}
              {statusWord(status)}
            </label>
          ))}
        </div>
      </fieldset>
      <div class="fields">
        <NumberField name="min_score" text="Score from" value={query.min_score} />
        <NumberField name="max_score" text="to" value={query.max_score} />
        <NumberField name="min_margin" text="Lead from" value={query.min_margin} />
        <NumberField name="max_margin" text="to" value={query.max_margin} />
        <label>
          Candidates
          <select name="candidates">
            {[
              ['', 'any number'],
              ['none', 'none'],
              ['one', 'one'],
              ['several', 'several'],
            ].map(([value, text]) => (
              <option value={value} selected={(query.candidates ?? '') === value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <TypeField types={types} chosen={query.type ?? ''} />
        <label>
          Text
          <input name="text" value={query.text ?? ''} maxlength={200} />
        </label>
        <label>
          Order
          <select name="order">
            {Object.entries(orders).map(([value, text]) => (
              <option value={value} selected={(query.order ?? usual) === value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">{submit}</button>
      </div>
    </form>
  )
}

/** The commonest types; one that is chosen by its address is there too. */
function TypeField({ types, chosen }: { types: readonly CandidateType[]; chosen: string }) {
  const isListed = chosen === '' || types.some(({ id }) => id === chosen)
  if (types.length === 0 && isListed) return null
  return (
    <label>
      Type of the candidate
      <select name="type">
        <option value="">any</option>
        {isListed ? null : (
          <option value={chosen} selected>
            {chosen}
          </option>
        )}
        {types.map(({ id, name, records }) => (
          <option value={id} selected={id === chosen}>
            {`${name ?? id} (${numberText(records)})`}
          </option>
        ))}
      </select>
    </label>
  )
}

function NumberField({
  name,
  text,
  value,
}: {
  name: string
  text: string
  value: number | undefined
}) {
  return (
    <label>
      {text}
      <input
        name={name}
        type="number"
        min="0"
        max="100"
        step="any"
        inputmode="decimal"
        value={value ?? ''}
      />
    </label>
  )
}
