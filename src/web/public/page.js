// Makes the pages quicker; all of them work without it. No build step, no other file.

/* A range of scores, dragged on the chart. */
const chart = document.querySelector('[data-chart="score"]')
const filter = document.querySelector('form[data-filter]')
if (chart && filter) {
  let begin = null
  const at = (event) => {
    const box = chart.getBoundingClientRect()
    return Math.round(Math.min(100, Math.max(0, ((event.clientX - box.left) / box.width) * 100)))
  }
  const choose = (from, to) => {
    filter.elements.min_score.value = Math.min(from, to)
    filter.elements.max_score.value = Math.max(from, to)
    const box = chart.querySelector('.chosen')
    box.setAttribute('x', Math.min(from, to))
    box.setAttribute('width', Math.max(0.5, Math.abs(to - from)))
  }
  chart.addEventListener('pointerdown', (event) => {
    begin = at(event)
    chart.setPointerCapture(event.pointerId)
    choose(begin, begin)
  })
  chart.addEventListener('pointermove', (event) => {
    if (begin !== null) choose(begin, at(event))
  })
  chart.addEventListener('pointerup', (event) => {
    if (begin === null) return
    choose(begin, at(event))
    begin = null
    filter.requestSubmit()
  })
}

/* An empty field says nothing, so it does not stand in the address. */
for (const form of document.querySelectorAll('form[data-filter]')) {
  form.addEventListener('submit', () => {
    for (const field of form.elements) if (field.value === '') field.disabled = true
  })
}
addEventListener('pageshow', () => {
  for (const field of document.querySelectorAll('form[data-filter] :disabled'))
    field.disabled = false
})

/* Keys press the buttons that name them. */
document.addEventListener('keydown', (event) =>
  pressKey(event, document.querySelector('[data-card]') ?? document),
)

function pressKey(event, place) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return
  const field = event.target.closest('input, textarea, select')
  if (field && event.key === 'Escape') field.blur()
  if (field) return
  const isOnControl = event.target.closest('a, button, summary') !== null
  const { key } = event
  // Enter and Space do what they always do on what has the focus.
  if (isOnControl && (key === 'Enter' || key === ' ')) return
  if (key === '?') {
    const help = document.querySelector('[data-help]')
    if (!help) return
    event.preventDefault()
    help.open = !help.open
    if (help.open) help.scrollIntoView({ block: 'nearest' })
    return
  }
  const focus = place.querySelector(`[data-focus="${CSS.escape(key)}"]`)
  if (focus) {
    event.preventDefault()
    focus.focus()
    return
  }
  const isBlind = new URLSearchParams(location.search).get('blind') === '1'
  if (key === 'o') place.querySelector('[data-open="1"]')?.click()
  const name = key === 'Enter' ? (isBlind ? null : '1') : key === ' ' ? 's' : key
  const target = name === null ? null : place.querySelector(`[data-key="${CSS.escape(name)}"]`)
  if (!target) return
  event.preventDefault()
  target.click()
}
