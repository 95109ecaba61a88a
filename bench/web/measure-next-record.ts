import { setTimeout as sleep } from 'node:timers/promises'
import { launchChromium } from '../../test/support/chromium.ts'
import type { Measure } from '../limiter/stories/story.ts'
import { median } from '../median.ts'
import type { WebLab } from './web-lab.ts'

const MOST_APPEARS_MS = 50
/** Nobody judges faster, so the script has so long to load what comes. */
const LOOKS_MS = 1_000

/** In the page: says "not in the knowledge base". @returns ms until the next record is painted */
const JUDGE = `(async () => {
  const entry = () => document.querySelector('[data-judge]')?.dataset.entry
  const soon = () => new Promise((resolve) => setTimeout(resolve))
  const before = entry()
  const beganMs = performance.now()
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }))
  while (entry() === before) {
    await soon()
    if (performance.now() - beganMs > 60_000) throw new Error('the next record did not appear')
  }
  // What is called then is called before the frame is painted, and what is due next, after it.
  await new Promise(requestAnimationFrame)
  await soon()
  return performance.now() - beganMs
})()`

/** From a person's key to the painted next record, in a browser. */
export async function measureNextRecord(lab: WebLab): Promise<readonly Measure[]> {
  const browser = await launchChromium()
  const appears: number[] = []
  try {
    const context = await browser.newContext({ baseURL: lab.url })
    await context.addCookies([{ name: 'record_linker_reviewer', value: 'Bob', url: lab.url }])
    const page = await context.newPage()
    await page.goto(`/p/${lab.project.id}/review`)
    for (let at = 0; at < lab.asks; at += 1) {
      await sleep(LOOKS_MS)
      appears.push(Number(await page.evaluate(JUDGE)))
    }
  } finally {
    await browser.close()
  }
  return [
    {
      name: 'the next record appears, from the key on',
      value: median(appears),
      unit: 'ms',
      goal: { atMost: MOST_APPEARS_MS },
    },
    {
      name: 'the slowest of them',
      value: Math.max(...appears),
      unit: 'ms',
    },
  ]
}
