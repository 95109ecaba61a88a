/**
 * Who we say we are. Services count and block by this line, so it carries the contact of the operator who
 * runs this program, never one of the project: libraries that sent one shared contact had all their users
 * throttled together (research/reconciliation.md §0.2).
 */
import { createRequire } from 'node:module'
import { UsageError } from '../errors.ts'

const undiciPackage: { readonly version: string } = createRequire(import.meta.url)(
  'undici/package.json',
)

export interface Identity {
  /** Version of this program. */
  readonly version: string
  /** E-mail address or URL of the operator; undefined allows loopback only. */
  readonly contact: string | undefined
}

/**
 * `record-linker/<version> (<contact>) undici/<version>`.
 * @throws UsageError `bad_contact` for a contact that cannot be a header or is longer than 200 characters.
 */
export function userAgent({ version, contact }: Identity): string {
  const shown = contact?.trim() ?? ''
  if (!/^[\x20-\x7e]{0,200}$/.test(shown) || /[()]/.test(shown)) {
    throw new UsageError({
      code: 'bad_contact',
      message:
        'The contact has parentheses, line breaks or non-ASCII characters, or is longer than 200; expected an e-mail address or a URL.',
      hint: 'Set RECORD_LINKER_CONTACT, for example RECORD_LINKER_CONTACT=me@example.org',
    })
  }
  const comment = shown === '' ? '' : ` (${shown})`
  return `record-linker/${version}${comment} undici/${undiciPackage.version}`
}

/** The refusal to call a foreign host anonymously. */
export function contactRequired(host: string): UsageError {
  return new UsageError({
    code: 'contact_required',
    message: `${host} is not called without a contact: services block or throttle anonymous programs.`,
    hint: 'Set RECORD_LINKER_CONTACT to your e-mail address or a URL, for example RECORD_LINKER_CONTACT=me@example.org',
  })
}
