import { hostGroup, type HostGrouping } from '../core/download/host-group.ts'
import type { Permit, Permits } from '../core/limiter/permit.ts'

/**
 * Permits where hosts of a group are one service: a request needs one of its host, whose limits go on to count, and then one
 * of the group, which all its hosts share. Always in this order, so that no two wait for each other.
 */
export function groupedPermits(permits: Permits, grouping: HostGrouping): Permits {
  if (grouping === 'host') return permits
  return {
    async acquire(request) {
      const ofHost = await permits.acquire(request)
      const group = hostGroup(request.domain, grouping)
      if (group === request.domain) return ofHost
      try {
        return both(ofHost, await permits.acquire({ ...request, domain: group }))
      } catch (error) {
        ofHost.giveBack()
        throw error
      }
    },
  }
}

function both(ofHost: Permit, ofGroup: Permit): Permit {
  return {
    domain: ofHost.domain,
    report(outcome) {
      ofHost.report(outcome)
      ofGroup.report(outcome)
    },
    giveBack() {
      ofHost.giveBack()
      ofGroup.giveBack()
    },
  }
}
