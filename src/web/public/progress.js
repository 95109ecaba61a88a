// Live progress of runs; without it a page is as it was drawn.
const AGAIN_MS = 3_000
for (const panel of document.querySelectorAll('[data-events]')) follow(panel)

function follow(panel) {
  const live = (name) => panel.querySelector(`[data-live="${name}"]`)
  const source = new EventSource(panel.dataset.events)
  const before = live('status')?.dataset.status
  const show = ({ data }) => {
    const run = JSON.parse(data)
    if (run.records === undefined) return
    const bar = live('bar')
    if (bar) {
      bar.max = Math.max(1, run.records)
      bar.value = run.finished
    }
    if (live('text')) live('text').textContent = run.text
    if (live('waiting')) live('waiting').textContent = run.waiting ?? ''
    if (live('reason')) live('reason').textContent = run.reason ?? ''
    if (live('status') && run.status !== before) void refresh(panel, source)
  }
  source.addEventListener('progress', show)
  source.addEventListener('end', () => {
    source.close()
    void refresh(panel, source)
  })
}

/* Other buttons fit another state: the panel is drawn anew by the server. */
async function refresh(panel, source) {
  source.close()
  let text
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
    if (!response.ok) throw new Error(`${response.status}`)
    text = await response.text()
  } catch {
    // The server is away: it is looked for again.
    setTimeout(() => follow(panel), AGAIN_MS)
    return
  }
  const panels = [...document.querySelectorAll('section.run')]
  const page = new DOMParser().parseFromString(text, 'text/html')
  const now = page.querySelectorAll('section.run')[panels.indexOf(panel)]
  if (!now) return
  panel.replaceWith(now)
  // What a run changes beside its own panel.
  const parts = page.querySelectorAll('[data-fresh]')
  for (const [at, part] of document.querySelectorAll('[data-fresh]').entries()) {
    if (parts[at]) part.replaceWith(parts[at])
  }
  if (now.dataset.events) follow(now)
}
