/**
 * The way of somebody who never saw the pages, from a file to ten judged records, by what the pages say. On its way it takes
 *
 *   RECORD_LINKER_PICTURES=docs/pictures    the pictures of README and docs
 *   RECORD_LINKER_SCREENSHOTS=FOLDER        a picture of every step, whole pages
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type KbService, startKbService } from '../../src/kb/kb-service.ts'
import { type BrowserSite, startBrowserSite } from '../support/browser-site.ts'
import { type MatchServer, startMatchServer } from '../support/match-server.ts'
import { pageFaults } from '../support/page-faults.ts'
import { paintersCsv, paintersKb } from '../support/painters.ts'

const RECORDS_JUDGED = 10
const everyStep = process.env['RECORD_LINKER_SCREENSHOTS']
const documented = process.env['RECORD_LINKER_PICTURES']
/** Those that docs show. */
const DOCUMENTED = new Set(['import-1280', 'thresholds-1280', 'review-1-1280', 'review-1-375'])

let server: MatchServer
let site: BrowserSite
let kb: KbService
let kbFolder: string
beforeAll(async () => {
  kbFolder = mkdtempSync(join(tmpdir(), 'record-linker-painters-'))
  writeFileSync(join(kbFolder, 'painters.jsonl'), paintersKb())
  kb = await startKbService({ file: join(kbFolder, 'painters.jsonl') })
  server = await startMatchServer()
  const { bench, options } = server
  site = await startBrowserSite({ databaseUrl: options.databaseUrl, taskQueue: bench.taskQueue })
})
afterAll(async () => {
  await site.close()
  await server.close()
  await kb.close()
  rmSync(kbFolder, { recursive: true })
})

/** A page as it stands then: nothing in it may hinder. */
async function look(page: Page, name: string): Promise<void> {
  expect([name, await pageFaults(page)]).toEqual([name, []])
  const file = `${name}-${page.viewportSize()?.width ?? 0}`
  if (everyStep !== undefined) await take(page, everyStep, file, true)
  if (documented !== undefined && DOCUMENTED.has(file)) await take(page, documented, file, false)
}
afterEach(() => site.closePages())

async function take(page: Page, folder: string, file: string, fullPage: boolean): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage })
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it.each([1280, 375])('is walked from a file to ten judged records at %i px', async (width) => {
  const page = await site.open('/', {
    viewport: { width, height: 800 },
    bypassCSP: true,
  })
  await look(page, 'home')
  await page.getByRole('link', { name: 'Import a file' }).first().click()
  await look(page, 'upload')
  await page.getByLabel('A file with one record a line').setInputFiles({
    name: `painters ${width}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(paintersCsv),
  })
  await button(page, 'Look at it').click()
  await page.locator('select[name=service]').selectOption('other')
  await page.getByLabel('Its address').fill(kb.url)
  await button(page, 'Show what it would send').click()
  await page.getByText('property P569').waitFor()
  await look(page, 'import')
  await button(page, 'Import').click()
  await page.getByText('15 records to be matched').waitFor()
  await look(page, 'begin')
  await button(page, 'Match 15 records').click()
  await page.locator('section.run .badge', { hasText: 'completed' }).waitFor()
  await look(page, 'project')

  const address = new URL(page.url()).pathname
  await page.goto(`${address}/thresholds?match=60`)
  await page.locator('[data-growing="false"]').waitFor()
  await page.getByRole('heading', { name: /would change/ }).waitFor()
  await look(page, 'thresholds')
  // All of them, so that there are ten to judge however many were matched.
  await page.goto(`${address}/review?status=matched,review,no_candidate&judged=no`)
  await page.getByLabel('Your name').fill('Ann')
  await button(page, 'Keep').click()
  for (let at = 1; at <= RECORDS_JUDGED; at += 1) {
    const card = page.locator('[data-judge]')
    const entry = (await card.getAttribute('data-entry')) ?? ''
    if (at === 1 || everyStep !== undefined) await look(page, `review-${at}`)
    const first = page.getByRole('button', { name: 'This one' }).first()
    if ((await first.count()) > 0) await first.click()
    else await page.getByRole('button', { name: 'Not in the knowledge base' }).click()
    await page.locator(`[data-judge][data-entry="${entry}"]`).waitFor({ state: 'detached' })
  }
  // The last one may be on its way still.
  await expect
    .poll(
      async () => {
        await page.goto(address)
        return page.getByText(`${RECORDS_JUDGED} records judged`).count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  await look(page, 'judged')
  expect(site.complaints).toEqual([])
})
