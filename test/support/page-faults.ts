import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What hinders somebody on a page: serious findings of axe-core, and a page that is wider than its window.
 * @param page of a profile with `bypassCSP`, for axe-core is run in it
 */
export async function pageFaults(page: Page): Promise<readonly string[]> {
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth'))
  const width = page.viewportSize()?.width ?? 0
  await page.evaluate(axe)
  const found = await page.evaluate<readonly string[]>(
    `axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  )
  return wide > width ? [`${wide} px wide in a window of ${width} px`, ...found] : found
}
