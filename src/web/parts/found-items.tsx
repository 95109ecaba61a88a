import type { FoundItem } from '../search-items.ts'

/** What a search found: each a button of the form that judges a record. */
export function FoundItems({ text, items }: { text: string; items: readonly FoundItem[] }) {
  if (items.length === 0) return <p>Nothing is called “{text}” there.</p>
  return (
    <>
      <p class="small">Found for “{text}”:</p>
      <ul class="found">
        {items.map(({ id, name, description, url }) => (
          <li>
            <button name="say" value={`match ${id}`} type="submit">
              This one
            </button>
            <span>
              {url === '' ? (
                <b>{name ?? id}</b>
              ) : (
                <a href={url} rel="noreferrer noopener" target="_blank">
                  {name ?? id}
                </a>
              )}{' '}
              <small>
                {id}
                {description === null ? '' : ` · ${description}`}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
