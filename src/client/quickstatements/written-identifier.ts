import { undressedIdentifier } from '../../core/matching/features/identifier.ts'

interface IdentifierForm {
  /** What Wikidata writes, as its property's format constraint has it. */
  readonly form: RegExp
  /** For people. */
  readonly example: string
  /** From an identifier without its dress to Wikidata's way of writing it. */
  readonly write?: (id: string) => string
}

const withoutDividers = (id: string) => id.replace(/[\s\u2010-\u2015-]/g, '')

const FORMS: Readonly<Record<string, IdentifierForm>> = {
  P213: {
    form: /^\d{15}[\dX]$/,
    example: '0000000123315230',
    write: (id) => withoutDividers(id).toUpperCase(),
  },
  P214: { form: /^[1-9]\d{1,21}$/, example: '113230702', write: withoutDividers },
  P227: { form: /^[1-9][\d-]{3,10}[\dX]$/, example: '118510541' },
  P244: {
    form: /^[a-z]{1,3}\d{8,10}$/,
    example: 'n79021164',
    write: (id) => withoutDividers(id).toLowerCase(),
  },
  P245: { form: /^500\d{6}$/, example: '500115588', write: withoutDividers },
  P269: { form: /^\d{8}[\dX]$/, example: '026927608', write: withoutDividers },
  P345: {
    form: /^(?:tt|nm|co|ch|ev|ni)\d{7,8}$/,
    example: 'nm0000001',
    write: (id) => id.toLowerCase(),
  },
  P356: { form: /^10\.\d{4,9}\/\S+$/, example: '10.1000/182' },
  P496: {
    form: /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/,
    example: '0000-0002-1825-0097',
    write: (id) =>
      withoutDividers(id)
        .toUpperCase()
        .replace(/.{4}(?=.)/g, '$&-'),
  },
  P1566: { form: /^[1-9]\d{0,8}$/, example: '2950159' },
  P6782: { form: /^0[a-z0-9]{6}\d{2}$/, example: '02mhbdp94', write: (id) => id.toLowerCase() },
}

const DOI = /10\.\d{4,9}\/\S+$/
const GEONAMES_PAGE = /geonames\.org\/(\d+)/i

/**
 * An identifier as Wikidata writes it: without address, source in brackets and name in front, and for known
 * properties with the dividers and case that Wikidata has. Comparing is more lenient (`plainIdentifier`).
 */
export function writtenIdentifier(
  pid: string,
  text: string,
): { readonly id: string } | { readonly fault: string } {
  const known = Object.hasOwn(FORMS, pid) ? FORMS[pid] : undefined
  const bare = pathIdentifier(pid, text) ?? undressedIdentifier(text)
  const id = known?.write?.(bare) ?? bare
  if (id === '') return { fault: 'there is no identifier in it' }
  if (known === undefined || known.form.test(id)) return { id }
  return { fault: `it has not the form of ${pid}, expected one like ${known.example}` }
}

/** Identifiers that are more, or less, than the last part of their address. */
function pathIdentifier(pid: string, text: string): string | undefined {
  if (pid === 'P356') return DOI.exec(text.trim())?.[0].toUpperCase()
  return pid === 'P1566' ? GEONAMES_PAGE.exec(text)?.[1] : undefined
}

/** Whether the values of a property are identifiers, as far as it is known here. */
export function isIdentifier(pid: string): boolean {
  return Object.hasOwn(FORMS, pid)
}
