import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

let database: TempDatabase
let db: Db
let web: TestWeb
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  web = testWeb(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Sends a file as a browser does. */
async function upload(name: string, text: string): Promise<Response> {
  const form = new FormData()
  form.set('file', new Blob([text]), name)
  const request = new Request('http://localhost:8533/import', { method: 'POST', body: form })
  return web.ask('/import', {
    method: 'POST',
    headers: { 'Content-Type': request.headers.get('Content-Type') ?? '', Accept: 'text/html' },
    body: await request.arrayBuffer(),
  })
}
/** The address of a file that was taken. */
async function uploaded(name: string, text: string): Promise<string> {
  const answer = await upload(name, text)
  expect(answer.status).toBe(303)
  return answer.headers.get('Location') ?? ''
}
const html = async (path: string) => {
  const answer = await web.ask(path, { headers: { Accept: 'text/html' } })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}
/** What a browser would send of a form that nobody has touched. */
function filledIn(page: string): Record<string, string> {
  const form = page.slice(page.indexOf('class="mapping"'), page.indexOf('</form>'))
  const fields: Record<string, string> = {}
  for (const [, input = ''] of form.matchAll(/<input ([^>]*)>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1]
    if (name !== undefined && !input.includes('type="checkbox"')) {
      fields[name] = /value="([^"]*)"/.exec(input)?.[1] ?? ''
    }
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    fields[name] = /<option value="([^"]*)" selected/.exec(options)?.[1] ?? ''
  }
  return fields
}

const records = Array.from({ length: 30 }, (_, at) => `${at + 1},Shop <${at + 1}>,A|B,DE,x`)
const file = ['id,name,aliases,country,remark', ...records].join('\n')

it('goes from a file to a project: rows, a proposal, what is sent, a try on 20', async () => {
  const at = await uploaded('shops <1>.csv', file)
  const page = await html(at)
  expect(page).toContain('The first 20 rows')
  expect(page).toContain('Shop &lt;20&gt;')
  expect(page).not.toContain('Shop &lt;21&gt;')
  const fields = filledIn(page)
  expect(fields).toMatchObject({
    'role-0': 'id',
    'role-1': 'name',
    'role-2': 'variant',
    'separator-2': '|',
    'role-3': 'property',
    'pid-3': 'P17',
    'role-4': 'skip',
    service: 'wikidata',
  })
  // Wikidata gets identifiers only, so the country stays.
  expect(page).toContain('What a match would send to www.wikidata.org')
  expect(page).toContain('Stays on this machine: country (compared')

  const answer = await web.form(at, {
    ...fields,
    service: 'sample',
    dataset: 'shops',
    do: 'import',
  })
  expect(answer.status).toBe(303)
  const begin = answer.headers.get('Location') ?? ''
  const before = await html(begin)
  expect(before).toContain('30 records to be matched')
  expect(before).toContain('Try 20 records')
  expect(before).toContain('Match all 30 records')
  expect(before).toMatch(/country<\/th><td>property P17/)
  const project = await web.json(begin.replace('/p/', '/projects/').replace('/begin', ''))
  expect(project).toMatchObject({ dataset: 'shops', service: 'sample', records: { total: 30 } })
  expect((await web.ask(at)).status).toBe(404)
})

it('keeps what was entered when it cannot be imported, and says what to mend', async () => {
  const at = await uploaded('people.csv', 'id,name,born\n1,Ann,1901\n2,Bo,1902\n')
  const fields = {
    ...filledIn(await html(at)),
    dataset: 'my people',
    languages: 'sv',
    'role-1': 'skip',
    'pid-2': 'P569',
    'use-2': 'compare',
    do: 'import',
  }
  const answer = await web.form(at, fields)
  expect(answer.status).toBe(422)
  const page = await answer.text()
  expect(page).toContain('It is not said which column has the name.')
  expect(filledIn(page)).toMatchObject({
    dataset: 'my people',
    languages: 'sv',
    'role-1': 'skip',
    'use-2': 'compare',
  })
  expect((await web.json<{ datasets: unknown[] }>('/datasets')).datasets).not.toContainEqual(
    expect.objectContaining({ dataset: 'my people' }),
  )
  for (const [change, said] of [
    [{ service: 'other', address: 'ftp://x' }, 'is no service'],
    [{ languages: 'not a language!' }, 'expected a code like nl'],
    [{ 'pid-2': '' }, 'which property column'],
  ] as const) {
    const refused = await web.form(at, { ...fields, 'role-1': 'name', ...change })
    expect([said, refused.status]).toEqual([said, 422])
    expect(await refused.text()).toContain(said)
  }
})

it('shows anew what would be sent, without importing', async () => {
  const at = await uploaded('people.csv', 'id,name,born\n1,Ann,1901\n')
  const fields = { ...filledIn(await html(at)), service: 'sample', do: 'look' }
  const sent = await (await web.form(at, fields)).text()
  expect(sent).toMatch(/born<\/th><td>property P569/)
  const kept = await (await web.form(at, { ...fields, 'use-2': 'compare' })).text()
  expect(kept).not.toMatch(/born<\/th><td>property P569/)
  expect(kept).toContain('born (compared with the answers here)')
})

it('refuses what is no table where another file can be chosen', async () => {
  for (const [name, text] of [
    ['empty.csv', ''],
    ['list.json', '[{"a":1}]'],
  ] as const) {
    const answer = await upload(name, text)
    expect([name, answer.status]).toEqual([name, 422])
    expect(await answer.text()).toContain('Look at it')
  }
  const none = await web.form('/import', {})
  expect([none.status, await none.text()]).toEqual([
    422,
    expect.stringContaining('expected a file'),
  ])
})
