import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { defaultPolicy } from '../../src/core/limiter/policy.ts'
import type { ProjectSettings } from '../../src/core/project-settings.ts'
import { type BrowserSite, startBrowserSite } from '../support/browser-site.ts'
import {
  answerByName,
  answerEach,
  type FakeRequest,
  manifestAnswer,
} from '../support/fake-reconciliation-service.ts'
import { createTestProject } from '../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../support/match-server.ts'

let server: MatchServer
let site: BrowserSite
beforeAll(async () => {
  server = await startMatchServer({
    // Slow enough that a run of sixty requests is met on its way.
    policyFor: (domain) => ({ ...defaultPolicy(domain), strategy: 'fixed', maxRps: 2 }),
  })
  const { bench, options } = server
  site = await startBrowserSite({ databaseUrl: options.databaseUrl, taskQueue: bench.taskQueue })
})
afterAll(async () => {
  await site.close()
  await server.close()
})
beforeEach(() => server.service.respond(answerByName))
afterEach(() => site.closePages())

const newProject = (count: number, settings: Partial<ProjectSettings> = {}) =>
  createTestProject(
    server.bench.db,
    server.ownAddress(),
    Array.from({ length: count }, (_, at) => ({ id: `r${at}`, name: `Name ${at}` })),
    { mapping: { name: 'name', variants: [], properties: [] }, ...settings },
  )
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const untilBadge = (page: Page, word: string) =>
  page.locator('section.run .badge', { hasText: word }).waitFor()
const finished = async (page: Page) =>
  Number((await page.locator('section.run progress').getAttribute('value')) ?? 0)

it('follows a run to its end, paused, resumed and cancelled from the page', async () => {
  const { id } = await newProject(600)
  const page = await site.open(`/p/${id}`)
  await button(page, 'Match 600 records').click()
  await untilBadge(page, 'running')
  await expect.poll(() => finished(page), { timeout: 120_000 }).toBeGreaterThan(0)
  expect(await page.locator('[data-live="text"]').textContent()).toContain('of 600')

  await button(page, 'Pause').click()
  await untilBadge(page, 'paused')
  await button(page, 'Resume').click()
  await untilBadge(page, 'running')
  const before = await finished(page)
  await expect.poll(() => finished(page), { timeout: 120_000 }).toBeGreaterThan(before)

  await Promise.all([page.waitForEvent('load'), button(page, 'Cancel').click()])
  // The end arrives by itself: nobody loads the page again.
  await page.evaluate('window.isSamePage = true')
  await untilBadge(page, 'cancelled')
  await page.getByRole('button', { name: /^Match \d+ records$/ }).waitFor()
  expect(await page.evaluate('window.isSamePage')).toBe(true)
  expect(site.complaints).toEqual([])
})

it('takes a file to its first matches: upload, columns, what is sent, a try on 20', async () => {
  const page = await site.open('/import')
  const rows = Array.from(
    { length: 30 },
    (_, at) => `${at + 1},${at === 3 ? 'Berlin' : `Name ${at}`},DE,x`,
  )
  await page.locator('input[type=file]').setInputFiles({
    name: 'cities.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['id,name,country,remark', ...rows].join('\n')),
  })
  await button(page, 'Look at it').click()
  await page.getByText('What each column is').waitFor()
  expect(await page.locator('.raw tbody tr').count()).toBe(20)

  // Something is missing: it says so, and what was chosen stays.
  await page.getByLabel('What column name is').selectOption('skip')
  await page.locator('select[name=service]').selectOption('other')
  await page.getByLabel('Its address').fill(server.ownAddress())
  await button(page, 'Import').click()
  await page.getByText('It is not said which column has the name').waitFor()
  expect(await page.getByLabel('Its address').inputValue()).toContain('http://127.0.0.1')

  await page.getByLabel('What column name is').selectOption('name')
  await button(page, 'Import').click()
  await page.getByText('30 records to be matched').waitFor()
  expect(await page.locator('table').first().textContent()).toContain('property P17')
  await button(page, 'Try 20 records, drawn at random').click()
  await untilBadge(page, 'completed')
  await page.getByRole('button', { name: 'Match 10 records' }).waitFor()
  // The browser itself tells of an answer of 422 as an error.
  expect(site.complaints.filter((line) => !line.includes('422'))).toEqual([])
})

/** Candidates that are alike enough for a person to be asked. */
function nearly(request: FakeRequest) {
  if (request.queries === null) return manifestAnswer(request)
  return answerEach(request, ({ query = '' }) => [
    { id: `Q${query.length}`, name: query, score: 90, match: false, type: [] },
  ])
}

it('finds another item by its name, and judges by it, with keys alone', async () => {
  server.service.respond(nearly)
  const { id } = await newProject(1)
  const page = await site.openAs('Ann', `/p/${id}`)
  await button(page, 'Match 1 record').click()
  await untilBadge(page, 'completed')
  await page.goto(`/p/${id}/review?status=matched,review,no_candidate`)
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, () => [
          {
            id: 'Q4242',
            name: 'The right one',
            description: 'by name',
            score: 50,
            match: false,
            type: [],
          },
        ]),
  )
  await page.keyboard.press('/')
  await page.keyboard.type('the right one')
  await page.keyboard.press('Enter')
  await page.locator('.found', { hasText: 'Q4242' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('r0: Q4242').waitFor()
  expect(site.complaints).toEqual([])
})

it('shows what a threshold would change while it is dragged, applies it, and goes back', async () => {
  server.service.respond(nearly)
  const { id } = await newProject(15, { thresholds: { match: 100, review: 35, lead: 10 } })
  const page = await site.open(`/p/${id}`)
  await button(page, 'Match 15 records').click()
  await untilBadge(page, 'completed')
  await page.getByRole('link', { name: 'Thresholds' }).click()
  const slider = page.getByLabel('Match from a score of, dragged')
  await slider.focus()
  await slider.press('Home')
  await page.getByRole('heading', { name: /would change/ }).waitFor()
  const flips = page.locator('[data-preview] tbody tr')
  await expect.poll(() => flips.count(), { timeout: 60_000 }).toBe(10)

  await button(page, 'Apply').click()
  await untilBadge(page, 'completed')
  await expect
    .poll(() => page.locator('.legend').first().textContent(), { timeout: 60_000 })
    .toContain('15 matched')
  await page.getByRole('link', { name: 'Thresholds' }).click()
  await button(page, 'Back to revision 1').click()
  await page.getByText('settings revision 3').waitFor()
  await untilBadge(page, 'completed')
  expect(site.complaints).toEqual([])
})
