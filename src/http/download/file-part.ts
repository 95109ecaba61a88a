/** What is there of a file while its bytes come: enough to go on after a break, and to judge it at the end. */
import type { ExpectedDigest } from '../../core/download/artifact-plan.ts'
import { contentCodings } from '../../core/download/content-codings.ts'
import { firstAnswer, type FirstAnswer } from '../../core/download/resume-policy.ts'
import { wholeDigests } from '../../core/download/server-digests.ts'
import { headerText, type ResponseHeaders } from '../../core/retry-after.ts'
import { BodyDigests } from './body-digests.ts'
import { headBytes } from './detect-type.ts'
import type { OpenAnswer } from './send-hop.ts'

/** The answer that began it, maybe in an earlier attempt. */
type BeganAnswer = Pick<OpenAnswer, 'status' | 'headers'> & {
  readonly hop: Pick<OpenAnswer['hop'], 'url'>
}

export class FilePart {
  /** Of the answer that began it. */
  readonly first: FirstAnswer
  readonly status: number
  readonly headers: ResponseHeaders
  readonly finalUrl: URL
  readonly codings: readonly string[]
  /** Of the bytes as they come. */
  readonly digests: BodyDigests
  /** What the host says of them. */
  readonly saidDigests: readonly ExpectedDigest[]
  /** HTTP tells where the whole ends. */
  isEndTold: boolean
  bytes = 0
  /** The first bytes as they came, `headBytes` at most. */
  head: Buffer = Buffer.alloc(0)
  /** Media type that the head tells; undefined: nobody has looked yet. */
  detected: string | null | undefined

  constructor(answer: BeganAnswer, wanted: readonly ExpectedDigest['algorithm'][]) {
    const { headers, status, hop } = answer
    this.first = firstAnswer(headers)
    this.status = status
    this.headers = headers
    this.finalUrl = hop.url
    this.codings = contentCodings(headers)
    this.saidDigests = wholeDigests(headers)
    this.digests = new BodyDigests([
      'sha256',
      ...wanted,
      ...this.saidDigests.map(({ algorithm }) => algorithm),
    ])
    const chunked = /\bchunked\b/i.test(headerText(headers, 'transfer-encoding') ?? '')
    this.isEndTold = chunked || this.first.totalBytes !== null
  }

  add(chunk: Uint8Array): void {
    if (this.head.length < headBytes) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, headBytes - this.head.length)])
    }
    this.digests.update(chunk)
    this.bytes += chunk.length
  }
}
