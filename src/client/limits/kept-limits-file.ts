import { isDeepStrictEqual } from 'node:util'
import { defaultPolicy, type DomainPolicy } from '../../core/limiter/policy.ts'
import { mergePolicy } from '../../core/limiter/policy-layers.ts'
import { fileLayers, readLimitsFile, type LimitsFile, type LimitsPlace } from './limits-file.ts'

/** The file of limits as a long-lived process uses it: read at the start and whenever it changes. */
export interface KeptLimitsFile {
  current(): LimitsFile
  /** The shipped policy with what the file says. */
  policyFor(domain: string): DomainPolicy
  close(): void
}

export interface KeptLimitsFileOptions {
  readonly onChange: (file: LimitsFile) => void
  /** Default 5 s. */
  readonly lookEveryMs?: number
}

const LOOK_EVERY_MS = 5_000

export function keepLimitsFile(
  place: LimitsPlace,
  { onChange, lookEveryMs = LOOK_EVERY_MS }: KeptLimitsFileOptions,
): KeptLimitsFile {
  let read = readLimitsFile(place)
  let file = read
  // By reading, not by notification: the file may not be there yet, be replaced, or lie on a network share.
  const look = () => {
    const next = readLimitsFile(place)
    if (isDeepStrictEqual(next, read)) return
    read = next
    // Half written, or broken altogether: what was understood before holds until it is mended.
    const isUseless = next.entries.length === 0 && next.problems.length > 0
    file = isUseless ? { ...next, entries: file.entries } : next
    onChange(file)
  }
  const timer = setInterval(look, lookEveryMs).unref()
  return {
    current: () => file,
    policyFor: (domain) => mergePolicy(defaultPolicy(domain), fileLayers(file, domain)),
    close: () => clearInterval(timer),
  }
}
