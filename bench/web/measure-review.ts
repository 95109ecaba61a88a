import type { Measure } from '../limiter/stories/story.ts'
import { median } from '../median.ts'
import { MOST_MS } from './measure-reads.ts'
import type { WebLab } from './web-lab.ts'

/** Judging record after record as the script of the page does it, then taking each back. */
export async function measureReview(lab: WebLab): Promise<readonly Measure[]> {
  const { project, ask, asks, decidedPerSecond } = lab
  const base = `/p/${project.id}`
  const cards: number[] = []
  const judging: number[] = []
  const undoing: number[] = []
  const overApi: number[] = []
  let place = `${base}/review?part=card`
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    ask(`${base}/${path}`, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams(fields),
    })
  for (let at = 0; at < asks; at += 1) {
    const card = await ask(place)
    cards.push(card.ms)
    judging.push((await form('judge', { ...fieldsOf(card.text), say: 'none_fits' })).ms)
    place = `${attribute(card.text, 'data-next')}&part=card`
  }
  for (let at = 0; at < asks; at += 1) undoing.push((await form('undo', { view: '' })).ms)
  for (let at = 0; at < asks; at += 1) {
    const body = { entry: `r${at}`, verdict: 'not_applicable', by: `Ann ${at}` }
    const said = await ask(`/projects/${project.id}/judgments`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    overApi.push(said.ms)
  }
  return [
    {
      name: 'a record, as the script loads ten ahead',
      value: median(cards),
      unit: 'ms',
      goal: { atMost: MOST_MS },
    },
    {
      name: 'a judgment on the page',
      value: median(judging),
      unit: 'ms',
      goal: { atMost: MOST_MS },
    },
    { name: 'an undo on the page', value: median(undoing), unit: 'ms', goal: { atMost: MOST_MS } },
    {
      name: 'a judgment over the API',
      value: median(overApi),
      unit: 'ms',
      goal: { atMost: MOST_MS },
    },
    {
      name: 'decisions written before it, by one process',
      value: decidedPerSecond,
      unit: 'records/s',
    },
  ]
}

function fieldsOf(card: string): Readonly<Record<string, string>> {
  const fields = card.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries(Array.from(fields, ([, name, value]) => [name, plain(value ?? '')]))
}

function attribute(card: string, name: string): string {
  return plain(new RegExp(`${name}="([^"]+)"`).exec(card)?.[1] ?? '')
}

function plain(text: string): string {
  return text.replaceAll('&amp;', '&')
}
