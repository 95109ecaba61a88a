import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { refreshSubjects } from '../../src/db/subject-refresh.ts'
import { type BrowserSite, startBrowserSite } from '../support/browser-site.ts'
import { decideRecord, scoredCandidate } from '../support/decided-records.ts'
import { createTestProject, type TestProject } from '../support/match-project-rows.ts'
import { pageFaults } from '../support/page-faults.ts'

const RECORDS = 30
const FEW_RECORDS = 12
let site: BrowserSite
let project: TestProject
const base = () => `/p/${project.id}`

beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())
afterEach(() => site.closePages())

beforeEach(() => prepare(FEW_RECORDS))

/** A project of so many records, each with two candidates. */
async function prepare(count: number): Promise<void> {
  const records = Array.from({ length: count }, (_, at) => ({
    id: `r${at + 1}`,
    name: `Café ${at + 1}`,
  }))
  project = await createTestProject(site.db, 'wikidata', records)
  await refreshSubjects(site.db, { ...project, revision: 1 })
  for (const [at, { id, name }] of records.entries()) {
    await decideRecord(site.db, project.id, id, 'review', [
      scoredCandidate(`Q${at * 10 + 1}`, {
        label: name,
        description: 'coffee house in Ghent',
        score: 80 - at,
        features: [
          {
            feature: 'name',
            verdict: 'agree',
            weight: 6.2,
            record: name,
            candidate: name,
            how: 'equal',
          },
          {
            feature: 'P17',
            verdict: 'disagree',
            weight: -2.1,
            record: 'Netherlands',
            candidate: 'Belgium',
            how: '',
          },
          {
            feature: 'P571',
            verdict: 'partly',
            weight: 1,
            record: '1900',
            candidate: '1901-03-02',
            how: 'a year apart',
          },
        ],
      }),
      scoredCandidate(`Q${at * 10 + 2}`, { label: `${name} bis`, score: 55 - at, features: [] }),
    ])
  }
}

/** What is judged of each record. */
async function verdicts(): Promise<Record<string, string>> {
  const answer = await fetch(`${site.url}/projects/${project.id}/entries?limit=100`)
  const { entries } = (await answer.json()) as {
    entries: { entry: string; status: string; qid: string | null; by: string | null }[]
  }
  return Object.fromEntries(
    entries.filter(({ by }) => by !== null).map(({ entry, status, qid }) => [entry, qid ?? status]),
  )
}
const shown = (page: Page) => page.locator('[data-judge]').getAttribute('data-entry')
const untilShown = (page: Page, entry: string) =>
  page.locator(`[data-judge][data-entry="${entry}"]`).waitFor()
const untilJudged = (count: number) =>
  expect.poll(async () => Object.keys(await verdicts()).length, { timeout: 120_000 }).toBe(count)

it('reviews 30 records by keys alone, each next one at once', async () => {
  await prepare(RECORDS)
  const page = await site.openAs('Ann', `${base()}/review`)
  const keys = ['1', 'Enter', '2', '0', 'n', 'x']
  for (let at = 0; at < RECORDS; at += 1) {
    const entry = (await shown(page)) ?? ''
    await page.keyboard.press(keys[at % keys.length] ?? '1')
    await page.locator(`[data-judge][data-entry="${entry}"]`).waitFor({ state: 'detached' })
    if (at < RECORDS - 1) await page.locator('[data-judge]').waitFor()
  }
  await page.getByText('Nothing is left here').waitFor()
  await untilJudged(RECORDS)
  const said = Object.values(await verdicts())
  expect(said.filter((one) => one === 'none_fits')).toHaveLength(5)
  expect(said.filter((one) => one === 'not_in_wikidata')).toHaveLength(5)
  expect(said.filter((one) => one === 'not_applicable')).toHaveLength(5)
  expect(said.filter((one) => /^Q\d*1$/.test(one))).toHaveLength(10)
  expect(said.filter((one) => /^Q\d*2$/.test(one))).toHaveLength(5)
  expect(site.complaints).toEqual([])
})

it('undoes by key what was done on earlier pages', async () => {
  const page = await site.openAs('Ann', `${base()}/review`)
  const first = (await shown(page)) ?? ''
  await page.keyboard.press('1')
  await page.locator(`[data-judge][data-entry="${first}"]`).waitFor({ state: 'detached' })
  await untilJudged(1)
  await page.goto('/')
  await page.goto(`${base()}/review`)
  await page.keyboard.press('u')
  await untilShown(page, first)
  await untilJudged(0)
  expect(site.complaints).toEqual([])
})

it('keeps a judgment also when the page is left in the moment of the key', async () => {
  const page = await site.openAs('Ann', `${base()}/review`)
  const first = (await shown(page)) ?? ''
  await page.evaluate(`
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '0', bubbles: true }))
    location.href = '/'
  `)
  await untilJudged(1)
  expect(await verdicts()).toEqual({ [first]: 'none_fits' })
  expect(site.complaints).toEqual([])
})

it('keeps judgments also that wait behind another when the page is left', async () => {
  const page = await site.openAs('Ann', `${base()}/review`)
  const first = (await shown(page)) ?? ''
  // The first one's answer does not come before the page is left.
  await page.route('**/judge', async (route) => {
    if (route.request().postData()?.includes(`entry=${first}&`)) return
    await route.continue()
  })
  await page.keyboard.press('0')
  await page.locator(`[data-judge][data-entry="${first}"]`).waitFor({ state: 'detached' })
  const second = (await shown(page)) ?? ''
  await page.keyboard.press('n')
  await page.locator(`[data-judge][data-entry="${second}"]`).waitFor({ state: 'detached' })
  const third = (await shown(page)) ?? ''
  await page.keyboard.press('x')
  await page.locator(`[data-judge][data-entry="${third}"]`).waitFor({ state: 'detached' })
  await page.goto('/')
  await untilJudged(2)
  expect(await verdicts()).toEqual({ [second]: 'not_in_wikidata', [third]: 'not_applicable' })
})

it('opens the page of the first candidate by key', async () => {
  const page = await site.openAs('Ann', `${base()}/review`)
  const first = (await shown(page)) ?? ''
  const address = await page.locator('[data-open="1"]').getAttribute('href')
  expect(address).toMatch(/\/wiki\/Q\d*1$/)
  await page
    .context()
    .route('https://www.wikidata.org/**', (route) => route.fulfill({ body: 'the item' }))
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.keyboard.press('o'),
  ])
  await opened.waitForURL(address ?? '')
  await opened.close()
  expect(await shown(page)).toBe(first)
  expect(await verdicts()).toEqual({})
  expect(site.complaints).toEqual([])
})

it('keeps keys quiet while somebody types, and takes another item from the field', async () => {
  const page = await site.openAs('Ann', `${base()}/review`)
  const first = (await shown(page)) ?? ''
  await page.keyboard.press('/')
  await page.keyboard.type('Q10123')
  expect(await shown(page)).toBe(first)
  await page.keyboard.press('Enter')
  await untilJudged(1)
  expect(await verdicts()).toEqual({ [first]: 'Q10123' })
  await page.keyboard.press('Escape')
})

it('moves, leaves for later, comments and helps by keys, without judging', async () => {
  const page = await site.openAs('Ann', `${base()}/review`)
  const first = (await shown(page)) ?? ''
  await page.keyboard.press('ArrowRight')
  await page.locator(`[data-judge][data-entry="${first}"]`).waitFor({ state: 'detached' })
  const second = (await shown(page)) ?? ''
  await page.keyboard.press('ArrowLeft')
  await untilShown(page, first)
  await page.keyboard.press('?')
  await page.locator('[data-help][open]').waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('10 s')
  expect(await page.getByLabel('Comment').inputValue()).toBe('10 s')
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await untilShown(page, second)
  await page.keyboard.press('Space')
  await page.locator(`[data-judge][data-entry="${second}"]`).waitFor({ state: 'detached' })
  await expect
    .poll(async () => {
      await page.reload()
      return page.locator('[data-count="skipped"]').textContent()
    })
    .toBe('2')
  expect(await verdicts()).toEqual({})
  expect(site.complaints).toEqual([])
})

it('tells the second of two browsers that the first has decided', async () => {
  const [ann, bob] = await Promise.all([
    site.openAs('Ann', `${base()}/review`),
    site.openAs('Bob', `${base()}/review`),
  ])
  const entry = (await shown(ann)) ?? ''
  expect(await shown(bob)).toBe(entry)
  await ann.keyboard.press('1')
  await untilJudged(1)
  await bob.keyboard.press('2')
  const note = bob.locator('.failing')
  await note.waitFor()
  expect(await note.textContent()).toContain('Already decided: Ann said match')
  expect(await note.textContent()).toContain('you said match')
  // The browser itself tells of an answer of 409 as an error.
  expect(site.complaints.filter((line) => !line.includes('409'))).toEqual([])
})

it('accepts many by a rule and takes them back as one', async () => {
  const page = await site.openAs('Ann', `${base()}/bulk?min_score=70&min_margin=0`)
  await page.getByRole('button', { name: 'Accept 11 records as Ann' }).click()
  await page.getByText('accepted 11 records by a rule').waitFor()
  await untilJudged(11)
  await page.locator('.acts').getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('took back 11 judgments').waitFor()
  await untilJudged(0)
  expect(await verdicts()).toEqual({})
})

it('works without scripts', async () => {
  const page = await site.openAs('Ann', `${base()}/review`, { javaScriptEnabled: false })
  const first = (await shown(page)) ?? ''
  await page.getByRole('button', { name: 'This one' }).first().click()
  expect(await shown(page)).not.toBe(first)
  await page.getByRole('button', { name: /^Undo/ }).click()
  expect(await shown(page)).toBe(first)
})

it('lets a range of scores be dragged on the histogram, into the address', async () => {
  const page = await site.open(base())
  const box = (await page.locator('[data-chart]').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2)
  await page.mouse.up()
  await page.waitForURL(/min_score=70.*max_score=80/)
  expect(await page.locator('.entries tbody tr').count()).toBe(11)
})

it.each([375, 1280])(
  'shows nothing wider than the window at %i px, and nothing that hinders',
  async (width) => {
    const profile = { viewport: { width, height: 800 }, bypassCSP: true }
    const pages = [
      '/',
      base(),
      `${base()}/review`,
      `${base()}/entry?entry=r1`,
      `${base()}/bulk?min_score=70`,
    ]
    for (const path of pages) {
      const page = await site.openAs('Ann', path, profile)
      expect([path, await pageFaults(page)]).toEqual([path, []])
      await page.context().close()
    }
  },
)
