/** A source that gets requests for lists and does not answer them, until it is let go. */
import type { FakeSource } from './fake-source.ts'

export interface HeldLists {
  readonly letGo: () => void
}

/** Those of whom this is true get no answer. */
export function holdLists(source: FakeSource, isToHold: (url: URL) => boolean): HeldLists {
  let letGo = () => undefined as void
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isHeld = true
  source.api.instead = async (url) => {
    if (isHeld && url.pathname.startsWith('/list/') && isToHold(url)) await gone
    return undefined
  }
  return {
    letGo: () => {
      isHeld = false
      letGo()
    },
  }
}

/** No request for a list from the `count`-th from now on gets an answer. */
export function holdListsFrom(source: FakeSource, count: number): HeldLists {
  // Those that arrive together are told apart here: the source has recorded all of them before it answers the first.
  let asked = 0
  return holdLists(source, () => (asked += 1) >= count)
}
