/** Which values of items are wanted: statements `P569`, labels `Len`, aliases `Aen`, descriptions `Den`, sitelinks `Snlwiki`. */
import { OutsideCallError } from '../../errors.ts'

export interface WantedValue {
  readonly kind: 'statements' | 'label' | 'aliases' | 'description' | 'sitelink'
  /** The property, language or site. */
  readonly of: string
  /** As it was asked for. */
  readonly property: string
}

const KINDS = { L: 'label', A: 'aliases', D: 'description', S: 'sitelink' } as const

/** @throws OutsideCallError kind `endpoint` for what Wikidata has no values of */
export function wantedValue(property: string): WantedValue {
  if (/^P[1-9]\d*$/.test(property)) return { kind: 'statements', of: property, property }
  const [, letter = '', of = ''] = /^([LAD])([a-z][a-z0-9-]*)$/.exec(property) ??
    /^(S)([a-z][a-z0-9_]*)$/.exec(property) ?? ['']
  const kind = Object.entries(KINDS).find(([each]) => each === letter)?.[1]
  if (kind !== undefined) return { kind, of, property }
  throw new OutsideCallError({
    kind: 'endpoint',
    code: 'unknown_property',
    message: `Wikidata has no values of "${property}"; expected a property (P569), label (Len), alias (Aen), description (Den) or sitelink (Snlwiki).`,
    hint: 'Find a property: ./record-linker suggest property TEXT',
  })
}

/** Parameters of a call that brings all of them, and no more than is needed. */
export function wantedParams(wanted: readonly WantedValue[]): Readonly<Record<string, string>> {
  const of = (...kinds: readonly WantedValue['kind'][]) =>
    wanted.filter(({ kind }) => kinds.includes(kind)).map((value) => value.of)
  const languages = of('label', 'aliases', 'description')
  const sites = of('sitelink')
  const props = [
    ['claims', of('statements')],
    ['labels', of('label')],
    ['aliases', of('aliases')],
    ['descriptions', of('description')],
    ['sitelinks', sites],
  ] as const
  return {
    props: ['info', ...props.flatMap(([name, some]) => (some.length === 0 ? [] : [name]))].join(
      '|',
    ),
    ...(languages.length === 0 ? {} : { languages: [...new Set([...languages, 'mul'])].join('|') }),
    ...(sites.length === 0 ? {} : { sitefilter: [...new Set(sites)].join('|') }),
  }
}
