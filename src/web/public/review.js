// Review: the next records at hand, judgments on their way while the next one is shown. Without it forms do the same.
const holder = document.querySelector('[data-card]')
if (holder) review(holder)

function review(holder) {
  const PRELOAD = 10
  const cards = new Map()
  // Likenesses of what was judged together with all that is equal: cards of these that are at hand are passed over.
  const told = new Set()
  let sending = Promise.resolve()
  // Judgments that wait behind one that is on its way.
  const waiting = new Set()
  let judged = 0
  const began = Date.now()

  const body = () => holder.querySelector('[data-card-body]')
  const fetchCard = async (url) => {
    const response = await fetch(`${url}${url.includes('?') ? '&' : '?'}part=card`)
    if (!response.ok) throw new Error(`${response.status}`)
    const text = await response.text()
    return new DOMParser().parseFromString(text, 'text/html').querySelector('[data-card-body]')
  }
  const load = (url) => {
    if (!cards.has(url)) {
      const card = fetchCard(url)
      card.catch(() => cards.delete(url))
      cards.set(url, card)
    }
    return cards.get(url)
  }
  let isScrolled = scrollY > 0
  addEventListener('scroll', () => (isScrolled = true), { passive: true })
  let preloading = 0
  const preload = async (url) => {
    const mine = (preloading += 1)
    try {
      for (let at = 0; at < PRELOAD && url && mine === preloading; at += 1) {
        const card = await load(url)
        if (!card?.querySelector('[data-judge]')) return
        url = card.dataset.next
      }
    } catch {
      // It is asked for again when it is needed.
    }
  }

  // A page that is not seen paints nothing, and waits so long.
  const LONGEST_WAIT_MS = 100
  const afterPaint = async (act) => {
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve))
      setTimeout(resolve, LONGEST_WAIT_MS)
    })
    act()
  }

  const show = async (url, { said = '', push = true, isFresh = false } = {}) => {
    if (isFresh) for (const known of [cards, told]) known.clear()
    let kept = await load(url)
    while (told.has(kept?.dataset.likeness)) kept = await load((url = kept.dataset.next))
    if (!kept) return location.assign(url)
    const card = document.importNode(kept, true)
    body().replaceWith(card)
    if (said) card.querySelector('[data-said]').textContent = said
    wire()
    // Asks for the layout at once, which takes longer than all of this.
    if (isScrolled) card.querySelector('h2')?.scrollIntoView({ block: 'nearest' })
    isScrolled = false
    void afterPaint(() => {
      if (push) history.pushState({ url }, '', url)
      void preload(card.dataset.next)
    })
    return card
  }
  addEventListener(
    'popstate',
    () => void show(location.pathname + location.search, { push: false, isFresh: true }),
  )

  const fail = (problem, url) => {
    document.querySelector('.failing')?.remove()
    const note = document.createElement('div')
    note.className = 'notice bad failing'
    note.setAttribute('role', 'alert')
    const text = document.createElement('p')
    const other = problem.facts?.holding
    const yours = problem.facts?.yours
    text.textContent = other
      ? `Already decided: ${other.by} said ${words(other)}; you said ${words(yours)}.`
      : `Not kept: ${problem.detail ?? problem}`
    const link = document.createElement('a')
    link.href = url
    link.textContent = 'Look at that record'
    const close = document.createElement('button')
    close.type = 'button'
    close.textContent = 'Leave it'
    close.addEventListener('click', () => note.remove())
    note.append(text, link, ' ', close)
    document.querySelector('main').prepend(note)
  }
  const words = (answer) =>
    `${answer.verdict.replaceAll('_', ' ')}${answer.qid ? ` ${answer.qid}` : ''}`

  const send = async (form, data) => {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams(data),
      // Also when the page is left.
      keepalive: true,
    })
    const answer = await response.json()
    if (!response.ok) throw Object.assign(new Error(answer.detail), { problem: answer })
    return answer
  }

  const count = (name, change) => {
    const field = document.querySelector(`[data-count="${name}"]`)
    const now = Number(field.textContent.replaceAll(',', ''))
    if (field.textContent !== '') field.textContent = Math.max(0, now + change).toLocaleString('en')
  }
  const pace = () => {
    const minutes = (Date.now() - began) / 60_000
    if (judged < 3) return
    document.querySelector('[data-count="pace"]').textContent =
      `· ${(judged / Math.max(minutes, 1 / 60)).toFixed(0)}/min`
  }

  const submitJudgment = (form, say) => {
    const data = new FormData(form)
    data.set('say', say)
    if (say === 'item' && !data.get('item').trim()) return itemField(form).focus()
    const entry = form.dataset.entry
    const { likeness } = body().dataset
    const isAlone = data.get('scope') === 'one'
    // Those that are equal are still to be judged.
    const next = isAlone ? body().dataset.next.replace(/&unlike=[^&]*/, '') : body().dataset.next
    const rows = isAlone ? 1 : Number(body().dataset.rows)
    if (rows > 1) told.add(likeness)
    const back = `${location.pathname}?${new URLSearchParams({ entry })}`
    const verb =
      say === 'skip'
        ? 'left for later'
        : say === 'item'
          ? data.get('item')
          : say.replace('match ', '').replaceAll('_', ' ')
    const isSkip = say === 'skip'
    count('left', -rows)
    count(isSkip ? 'skipped' : 'today', isSkip ? rows : 1)
    if (!isSkip) judged += 1
    pace()
    // One after the other, so that an undo finds what was done before it.
    let answer
    const start = () => {
      waiting.delete(start)
      answer ??= send(form, data)
      return answer
    }
    waiting.add(start)
    sending = sending.then(start).catch((error) => {
      told.delete(likeness)
      count('left', rows)
      count(isSkip ? 'skipped' : 'today', isSkip ? -rows : -1)
      fail(error.problem ?? 'the server did not answer; say it again.', back)
    })
    return show(next, { said: `${entry}: ${verb}.` }).catch(() => {
      location.href = next
    })
  }

  // An address or an id of Wikidata is taken as it is; anything else may be a name.
  // `elements.item` is a method of the collection.
  const itemField = (form) => form.elements.namedItem('item')
  const isItem = (text) => /^(https?:|Q\d+$)/i.test(text.trim())
  const search = async (form) => {
    const text = itemField(form).value.trim()
    if (!text) return itemField(form).focus()
    const found = form.querySelector('[data-found]')
    found.textContent = 'Searching …'
    const query = new URLSearchParams({ item: text, part: 'found' })
    try {
      const response = await fetch(`${form.action.replace(/judge$/, 'search')}?${query}`, {
        headers: { Accept: 'application/json' },
      })
      if (!response.ok) {
        const problem = await response.json()
        found.textContent = `Not found out: ${problem.detail} ${problem.hint ?? ''}`
        return undefined
      }
      found.innerHTML = await response.text()
      found.querySelector('button')?.focus()
    } catch {
      found.textContent = 'Not found out: the server did not answer; search again.'
    }
    return undefined
  }

  // Nothing of this page goes on by itself once it is left; one that comes back still hears what became of them.
  addEventListener('pagehide', () => {
    for (const start of waiting) start().catch(() => undefined)
  })

  const submitUndo = async (form) => {
    await sending
    const data = new FormData(form)
    try {
      const { to, judgments } = await send(form, data)
      count('left', judgments)
      count('today', -1)
      await show(to, {
        isFresh: true,
        said: new URL(to, location.href).searchParams.get('said') ?? '',
      })
    } catch (error) {
      fail(error.problem ?? 'the server did not answer.', location.href)
    }
    return undefined
  }

  const wire = () => {
    holder.querySelector('[data-judge]')?.addEventListener('submit', (event) => {
      event.preventDefault()
      const form = event.target
      const say = event.submitter?.value || 'item'
      const isByEnter = event.submitter?.classList.contains('unseen') ?? true
      const isName = isByEnter && !isItem(itemField(form)?.value ?? '')
      if (event.submitter?.hasAttribute('data-search') || isName) void search(form)
      else void submitJudgment(form, say)
    })
    holder.querySelector('[data-undo]')?.addEventListener('submit', (event) => {
      event.preventDefault()
      void submitUndo(event.target)
    })
    for (const link of holder.querySelectorAll('a[rel="next"], a[rel="prev"]')) {
      link.addEventListener('click', (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void show(link.getAttribute('href'))
      })
    }
  }

  wire()
  void preload(body()?.dataset.next)
}
