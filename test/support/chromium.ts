import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where packages of distributions, and macOS, put it. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Starts the Chromium of this machine; without one the tests fail, and say what to do. */
export async function launchChromium(): Promise<Browser> {
  const named = process.env['RECORD_LINKER_CHROMIUM']
  const places = named === undefined ? PLACES : [named]
  const executablePath = places.find((place) => existsSync(place))
  if (executablePath === undefined) {
    throw new Error(
      `The pages are tested in Chromium, which is at none of: ${places.join(', ')}. Install it (Debian, Ubuntu: apt-get install chromium), or name it in RECORD_LINKER_CHROMIUM.`,
    )
  }
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}
