import type { KbItem } from '../../../src/kb/kb-item.ts'
import { createKbIndex, type KbIndex } from '../../../src/kb/kb-index.ts'

/** An item with only what a test is about. */
export function kbItem(qid: string, label: string, rest: Partial<KbItem> = {}): KbItem {
  return {
    qid,
    label,
    description: undefined,
    aliases: [],
    types: [],
    properties: new Map(),
    ...rest,
  }
}

/** A dozen items: brands, artists, homonyms, other scripts, a small type tree. */
export function smallIndex(): KbIndex {
  const gb = [{ id: 'Q145', name: 'United Kingdom' }]
  return createKbIndex([
    kbItem('Q217599', 'Carrefour', {
      description: 'French hypermarket brand',
      types: ['Q431289'],
      properties: new Map([['P856', ['https://www.carrefour.com/']]]),
    }),
    kbItem('Q2940187', 'Carrefour City', { types: ['Q431289'] }),
    kbItem('Q714491', 'Marks & Spencer', {
      aliases: ['M&S', 'Marks and Sparks'],
      types: ['Q431289', 'Q507619'],
      properties: new Map([['P17', gb]]),
    }),
    kbItem('Q296', 'Claude Monet', {
      types: ['Q5'],
      properties: new Map([
        ['P569', ['1840-11-14']],
        ['P245', ['500019484']],
      ]),
    }),
    kbItem('Q40599', 'Édouard Manet', { types: ['Q5'] }),
    kbItem('Q34217', 'Oxford', { types: ['Q515'], properties: new Map([['P17', gb]]) }),
    kbItem('Q1012665', 'Oxford', {
      types: ['Q515'],
      properties: new Map([['P17', [{ id: 'Q30', name: 'United States' }]]]),
    }),
    kbItem('Q991', 'Фёдор Достоевский', { types: ['Q5'] }),
    kbItem('Q1490', '東京', { aliases: ['Tokyo'], types: ['Q1549591'] }),
    kbItem('Q1549591', 'big city', { properties: new Map([['P279', [{ id: 'Q515' }]]]) }),
    kbItem('Q515', 'city'),
    kbItem('Q431289', 'brand'),
    kbItem('Q781365', 'Bank of Queensland'),
    kbItem('Q8', 'Q8 Petroleum GmbH'),
  ])
}
