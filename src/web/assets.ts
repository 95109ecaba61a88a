/** The files that pages load: read once, and kept by browsers until they change. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'

/** Each works alone; what a page has nothing of does nothing there. */
export const scripts = ['page.js', 'review.js', 'progress.js', 'thresholds.js'] as const
const names = ['style.css', ...scripts] as const
type AssetName = (typeof names)[number]

interface Asset {
  readonly text: string
  readonly version: string
}

const read = (name: AssetName): Asset => {
  const text = readFileSync(new URL(`./public/${name}`, import.meta.url), 'utf8')
  return { text, version: createHash('sha256').update(text).digest('hex').slice(0, 12) }
}
const assets: Readonly<Record<AssetName, Asset>> = {
  'style.css': read('style.css'),
  'page.js': read('page.js'),
  'review.js': read('review.js'),
  'progress.js': read('progress.js'),
  'thresholds.js': read('thresholds.js'),
}

/** Its address changes with its content. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${assets[name].version}`
}

export function mountAssets(app: Hono): void {
  for (const name of names) {
    const type = name === 'style.css' ? 'text/css' : 'text/javascript'
    const { text, version } = assets[name]
    app.get(`/assets/${name}`, (c) =>
      c.body(text, 200, {
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control':
          c.req.query('v') === version ? 'public, max-age=31536000, immutable' : 'no-cache',
      }),
    )
  }
  app.get('/favicon.ico', (c) => c.body(null, 204))
}
