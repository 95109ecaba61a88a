// Live progress of runs; without it a page is as it was drawn.
for (const panel of document.querySelectorAll('[data-events]')) follow(panel)

function follow(panel) {
  const live = (name) => panel.querySelector(`[data-live="${name}"]`)
  const source = new EventSource(panel.dataset.events)
  const before = live('status')?.textContent
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
  const text = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text()
  const panels = [...document.querySelectorAll('section.run')]
  const fresh = new DOMParser().parseFromString(text, 'text/html').querySelectorAll('section.run')
  const now = fresh[panels.indexOf(panel)]
  if (!now) return
  panel.replaceWith(now)
  if (now.dataset.events) follow(now)
}
