/** Names of exported files, from a template of the user: readable, safe on every file system, none twice. */
import { displayName, longestNameBytes } from './display-name.ts'

/** What a template may name. */
export const exportFields = ['id', 'n', 'job', 'name', 'item', 'property', 'sha256'] as const
export type ExportField = (typeof exportFields)[number]

const FIELD = /\{([^{}]*)\}/g
/** Room for what tells two of one name apart. */
const NUMBER_BYTES = 12

/** Names in braces that mean nothing; a template without any of ours names all files alike. */
export function unknownFields(template: string): readonly string[] {
  return [...template.matchAll(FIELD)]
    .map(([, name = '']) => name)
    .filter((name) => !exportFields.some((field) => field === name))
}

/**
 * A name for one file: a single part of a path, never hidden, its ending that of its type.
 * @param type MIME type by its bytes; null: the ending of `shown` is kept
 * @param shown name that the server gave
 */
export function exportName(
  template: string,
  fields: Readonly<Record<ExportField, string>>,
  { type, shown }: { readonly type: string | null; readonly shown: string | null },
): string {
  const filled = template.replace(FIELD, (all, name: string) => {
    const field = exportFields.find((one) => one === name)
    return field === undefined ? all : fields[field]
  })
  // A folder in an id is part of the name; what only a path can be is not.
  const flat = filled.replace(/[/\\]/g, '_')
  const stem = cutToBytes(flat, longestNameBytes - NUMBER_BYTES - endingOf(shown).length)
  // A dot in an id is no ending.
  const named = displayName(`${stem}${endingOf(shown) || '.dat'}`, type)
  return named ?? `file-${fields.sha256.slice(0, 12)}`
}

/**
 * The same name, or with a number before its ending; names that differ in case only are one on some systems.
 * @param taken grows by what is returned
 */
export function freeName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${stem}-${number}${ending}`
    const key = tried.normalize('NFC').toLowerCase()
    if (taken.has(key)) continue
    taken.add(key)
    return tried
  }
}

function endingOf(shown: string | null): string {
  return /\.[A-Za-z0-9]{1,10}$/.exec(shown ?? '')?.[0] ?? ''
}

function cutToBytes(text: string, bytes: number): string {
  const encoder = new TextEncoder()
  let cut = text
  // Half a character that is left of one is removed with what else cannot be shown.
  while (encoder.encode(cut).length > bytes) cut = cut.slice(0, -1)
  return cut
}
