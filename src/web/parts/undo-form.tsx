import type { PageQuery } from '../page-query.ts'
import { viewQuery } from '../page-query.ts'

/** Takes back what this person did last, also on an earlier page. */
export function UndoForm({
  project,
  query,
  act,
  said,
}: {
  project: number
  query: PageQuery
  act: number | undefined
  said: string | undefined
}) {
  return (
    <form method="post" action={`/p/${project}/undo`} class="undo" data-undo>
      <input type="hidden" name="view" value={viewQuery(query)} />
      {act === undefined ? null : <input type="hidden" name="act" value={act} />}
      <span role="status" data-said>
        {said ?? ''}
      </span>
      <button type="submit" data-key="u">
        Undo {act === undefined ? 'the last' : 'it'} <kbd>u</kbd>
      </button>
    </form>
  )
}
