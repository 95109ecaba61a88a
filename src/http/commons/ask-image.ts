import { imageAddress } from '../../core/commons/image-address.ts'
import { OutsideCallError } from '../../errors.ts'
import type { Exchange } from '../exchange-record.ts'
import type { HttpClient } from '../http-client.ts'
import { bodyHeadBytes } from '../read-body.ts'

/** What was found out about a file; `no_file_name`: there is none to ask for; `failed`: could not be asked, which says nothing. */
export interface ImageAnswer {
  readonly state: 'present' | 'missing' | 'not_an_image' | 'no_file_name' | 'failed'
  /** Of what it ran into; null where it is present. */
  readonly code: string | null
  /** To ask again would help nothing. */
  readonly isFinal: boolean
}

export interface AskImageOptions {
  readonly http: Pick<HttpClient, 'request'>
  /** Where the files are. */
  readonly commons: string
  /** Whose requests these are, for fairness between projects. */
  readonly project: string
  readonly signal: AbortSignal
  readonly onExchange: (exchange: Exchange) => void
}

/** These say something of the one file, not of who serves it. */
const OF_ONE_FILE: ReadonlySet<string> = new Set(['bad_redirect', 'too_many_redirects'])

/**
 * Asks whether a file is there and is a picture: its first kilobyte is received and not kept.
 * @param value what an item states, see `imageAddress`
 * @throws OutsideCallError when nobody can be asked now, or we are turned away; the signal's reason when aborted
 */
export async function askImage(
  { http, commons, ...request }: AskImageOptions,
  value: string,
): Promise<ImageAnswer> {
  const url = imageAddress(value, commons)
  if (url === undefined) return { state: 'no_file_name', code: 'no_file_name', isFinal: true }
  const headers = {
    accept: 'image/*',
    'accept-encoding': 'identity',
    range: `bytes=0-${bodyHeadBytes - 1}`,
  }
  try {
    await http.request({ ...request, method: 'GET', url, headers, wanted: 'image' })
    return { state: 'present', code: null, isFinal: true }
  } catch (error) {
    if (!(error instanceof OutsideCallError)) throw error
    const { kind, code, status } = error
    if (status === 404 || status === 410) return { state: 'missing', code, isFinal: true }
    if (code === 'not_an_image') return { state: 'not_an_image', code, isFinal: true }
    if (kind === 'transient') return { state: 'failed', code, isFinal: false }
    if (kind === 'permanent' || OF_ONE_FILE.has(code)) {
      return { state: 'failed', code, isFinal: true }
    }
    throw error
  }
}
