// Thresholds: what they would change is shown while they are dragged; without it a button shows it.
const tried = document.querySelector('form[data-thresholds]')
if (tried) tryThresholds(tried)

function tryThresholds(form) {
  const preview = document.querySelector('[data-preview]')
  const query = () => new URLSearchParams(new FormData(form)).toString()
  let shown = query()
  let isAsking = false
  // What is still being counted is asked for again.
  const COUNTS_MS = 700
  let following
  const follow = () => {
    clearTimeout(following)
    if (preview.querySelector('[data-growing="true"]') === null) return
    following = setTimeout(() => void ask(true), COUNTS_MS)
  }
  // One question at a time; what was dragged meanwhile is asked next.
  const ask = async (isAgain = false) => {
    if (isAsking || (shown === query() && !isAgain) || !form.checkValidity()) return
    isAsking = true
    const asked = query()
    if (!isAgain) preview.setAttribute('aria-busy', 'true')
    try {
      const response = await fetch(`${form.action}?${asked}&part=preview`)
      if (response.ok) preview.innerHTML = await response.text()
      else preview.textContent = `Not found out: the server answered ${response.status}.`
      history.replaceState(null, '', `?${asked}`)
    } catch {
      preview.textContent = 'Not found out: the server did not answer; move it again.'
    } finally {
      shown = asked
      isAsking = false
      preview.removeAttribute('aria-busy')
    }
    if (shown === query()) follow()
    else void ask()
  }
  const move = (name, value) => {
    const line = document.querySelector(`[data-line="${name}"]`)
    line?.setAttribute('x1', value)
    line?.setAttribute('x2', value)
  }
  const set = (name, value) => {
    form.elements[name].value = value
    form.querySelector(`[data-drags="${name}"]`).value = value
    move(name, value)
  }
  for (const range of form.querySelectorAll('[data-drags]')) {
    const name = range.dataset.drags
    range.hidden = false
    range.addEventListener('input', () => {
      set(name, range.value)
      // A record that is matched is worth a look too.
      const { match, review } = form.elements
      if (Number(review.value) > Number(match.value)) {
        set(name === 'match' ? 'review' : 'match', range.value)
      }
      void ask()
    })
    form.elements[name].addEventListener('input', () => {
      range.value = form.elements[name].value
      move(name, range.value)
      void ask()
    })
  }
  form.querySelector('[data-needless]').hidden = true
  follow()
}
