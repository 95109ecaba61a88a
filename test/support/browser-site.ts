/** The pages on a port of this machine and a real browser in front of them. */
import { inject } from 'vitest'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { loadConfig } from '../../src/config.ts'
import { connectDatabase, type Db } from '../../src/db/connect.ts'
import { serveWeb } from '../../src/web/serve-web.ts'
import { launchChromium } from './chromium.ts'
import { createTempDatabase } from './temp-database.ts'

export interface BrowserSite {
  readonly db: Db
  readonly url: string
  /** What pages complained of: errors of scripts, of the policy, and of what they load. */
  readonly complaints: readonly string[]
  /** A page in a browser profile of its own. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** One whose person has a name. */
  readonly openAs: (name: string, path: string, options?: BrowserContextOptions) => Promise<Page>
  readonly closePages: () => Promise<void>
  readonly close: () => Promise<void>
}

let looks = 0

/** What a page showed when its test ended, where somebody wants to see it. */
async function keepLook(page: Page): Promise<void> {
  const folder = process.env['RECORD_LINKER_SCREENSHOTS']
  if (folder === undefined) return
  looks += 1
  await page.screenshot({ path: `${folder}/end-${process.pid}-${looks}.png`, fullPage: true })
}

export interface BrowserSiteOptions {
  /** Default: one of its own. */
  readonly databaseUrl?: string
  /** Of the workers that do the work. */
  readonly taskQueue?: string
}

export async function startBrowserSite(options: BrowserSiteOptions = {}): Promise<BrowserSite> {
  const own = options.databaseUrl === undefined ? await createTempDatabase() : undefined
  const databaseUrl = options.databaseUrl ?? own?.url ?? ''
  const db = connectDatabase(databaseUrl)
  const complaints: string[] = []
  const web = await serveWeb({
    config: loadConfig({}),
    stack: {
      temporalAddress: inject('temporalAddress'),
      temporalNamespace: 'default',
      databaseUrl,
      home: '/nowhere',
    },
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    ...(options.taskQueue === undefined ? {} : { taskQueue: options.taskQueue }),
    log: (line) => complaints.push(line),
  })
  const browser: Browser = await launchChromium()
  const open: BrowserSite['open'] = async (path, profile = {}) => {
    const context = await browser.newContext({ baseURL: web.url, ...profile })
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(path)
    return page
  }
  return {
    db,
    url: web.url,
    complaints,
    open,
    openAs: async (name, path, profile) => {
      const cookie = {
        name: 'record_linker_reviewer',
        value: name,
        domain: new URL(web.url).hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Strict' as const,
      }
      return open(path, { ...profile, storageState: { cookies: [cookie], origins: [] } })
    },
    closePages: async () => {
      for (const context of browser.contexts()) {
        for (const page of context.pages()) await keepLook(page)
        await context.close()
      }
      complaints.length = 0
    },
    close: async () => {
      await browser.close()
      await web.close()
      await db.destroy()
      await own?.drop()
    },
  }
}
