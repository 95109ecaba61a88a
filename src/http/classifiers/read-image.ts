import { headerText } from '../../core/retry-after.ts'
import { type AnswerReading, permanent, type ReceivedResponse, usable } from './answer-reading.ts'
import type { DomainClassifier } from './domain-classifier.ts'

/**
 * Reads answers where an image is wanted, by their type and first bytes: a page that says 200 is none
 * (hbz/lobid-gnd#291). What a page says of load or a ban, and every refusal, means what it means elsewhere.
 */
export function wantingImage(base: DomainClassifier): DomainClassifier {
  return {
    ...base,
    read(response, serverNowMs) {
      const { status } = response
      if (status < 200 || status > 299) return base.read(response, serverNowMs)
      if (isImage(response)) return usable
      const reading = base.read(response, serverNowMs)
      return isAboutLoad(reading) ? reading : permanent('not_an_image')
    },
  }
}

function isImage({ headers, bodyText }: ReceivedResponse): boolean {
  const type = (headerText(headers, 'content-type') ?? '').trim().toLowerCase()
  if (!type.startsWith('image/') || /<(?:!doctype\s+html|html|head|body)\b/i.test(bodyText)) {
    return false
  }
  // No other picture begins as a text does.
  return type.startsWith('image/svg') || !/^\s*[<{]/.test(bodyText)
}

function isAboutLoad({ outcome, fault }: AnswerReading): boolean {
  return fault !== null && (outcome === 'throttled' || outcome === 'overload')
}
