/** Another item for a record, found by name. */
import type { Hono } from 'hono'
import { page, projectOf } from '../draw-page.ts'
import { FoundItems } from '../parts/found-items.tsx'
import { searchByName } from '../search-items.ts'
import { fieldsOf } from '../read-fields.ts'
import type { WebContext } from '../web-context.ts'
import { SearchPage } from './search-page.tsx'

export function mountSearch(app: Hono, context: WebContext): void {
  app.get('/p/:project/search', async (c) => {
    const project = await projectOf(c, context)
    const { text: field } = fieldsOf(c.req.query())
    const text = field('item').trim()
    const items = await searchByName(context, project, text)
    if (field('part') === 'found') return page(c, <FoundItems text={text} items={items} />, false)
    const carried = {
      entry: field('entry'),
      seen: field('seen'),
      place: field('place'),
      view: field('view'),
      note: field('note'),
      scope: field('scope'),
    }
    return page(c, <SearchPage {...{ project, carried, text, items }} />)
  })
}
