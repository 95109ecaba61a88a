import type { PropsWithChildren } from 'hono/jsx'
import { assetUrl, scripts } from '../assets.ts'

export interface Crumb {
  readonly text: string
  readonly href?: string
}

/** A whole page around its content. @param crumbs the way here; the last one is this page */
export function Layout({
  title,
  crumbs = [],
  reviewer = null,
  here,
  children,
}: PropsWithChildren<{
  title: string
  crumbs?: readonly Crumb[]
  reviewer?: string | null
  /** Address of this page, to come back to; absent: no name is asked here. */
  here?: string
}>) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title} · Record Linker</title>
        <link rel="stylesheet" href={assetUrl('style.css')} />
        {scripts.map((name) => (
          <script type="module" src={assetUrl(name)} />
        ))}
      </head>
      <body>
        <a class="skip-link" href="#main">
          To the content
        </a>
        <header class="top">
          <nav aria-label="Where you are">
            <ol class="crumbs">
              <li>
                <a href="/">Record Linker</a>
              </li>
              {crumbs.map(({ text, href }) => (
                <li>
                  {href === undefined ? (
                    <span aria-current="page">{text}</span>
                  ) : (
                    <a href={href}>{text}</a>
                  )}
                </li>
              ))}
            </ol>
          </nav>
          {here !== undefined && reviewer !== null ? (
            <details class="who">
              <summary>{reviewer}</summary>
              <ReviewerForm reviewer={reviewer} back={here} />
            </details>
          ) : null}
        </header>
        <main id="main">{children}</main>
      </body>
    </html>
  )
}

/** Asks who judges; kept in a cookie of this browser. */
export function ReviewerForm({ reviewer, back }: { reviewer: string | null; back: string }) {
  return (
    <form method="post" action="/reviewer" class="inline">
      <input type="hidden" name="back" value={back} />
      <label>
        Your name
        <input name="name" value={reviewer ?? ''} required maxlength={100} autocomplete="name" />
      </label>
      <button type="submit">Keep</button>
    </form>
  )
}
