import { hostGroup, type HostGrouping } from '../core/download/host-group.ts'
import type { Slots } from '../db/advisory-slots.ts'

/** Longer, and the job gives its place in the process to another. */
const WAIT_MS = 20_000

export interface SlotCaps {
  readonly resolver: string
  readonly resolverCap: number
  readonly hostCap: number
  readonly groupHosts: HostGrouping
}

/** The slots of one transfer: of its resolver and of the host that is asked, both or neither. */
export interface SlotHold {
  /** Taken for another host than before, those before are given back first. @returns gives them back */
  take(host: string): Promise<() => void>
  release(): void
}

export function createSlotHold(
  slots: Pick<Slots, 'take'>,
  { resolver, resolverCap, hostCap, groupHosts }: SlotCaps,
  signal: AbortSignal,
): SlotHold {
  let held: { readonly host: string; readonly give: () => void } | undefined
  const release = () => {
    held?.give()
    held = undefined
  }
  return {
    release,
    async take(asked) {
      const host = hostGroup(asked, groupHosts)
      if (held?.host === host) return release
      release()
      const wishes = [
        { key: `resolver/${resolver}`, cap: resolverCap },
        { key: `host/${host}`, cap: hostCap },
      ]
      held = { host, give: await slots.take(wishes, { signal, waitMs: WAIT_MS }) }
      return release
    },
  }
}
