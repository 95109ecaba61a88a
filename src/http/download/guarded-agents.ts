/**
 * Connections to public addresses only. A name is checked when it is looked up, so nothing is connected to a private
 * address; the peer is checked once more when the connection stands, before a byte of the request is sent, whatever way
 * the address came in. Proxies are not used: behind one the peer would be the proxy.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import { withPatientEnd } from '../patient-end.ts'
import {
  isAllowedAddress,
  isBlockedAddress,
  type AllowedRanges,
} from '../../core/download/blocked-address.ts'

export interface DownloadAgentsOptions {
  /** Addresses and CIDR ranges called though they are not public, on any port. */
  readonly allowed?: AllowedRanges
  /** Ports besides 80 and 443. */
  readonly ports?: readonly number[]
  /** Certificates (PEM) trusted for a host besides the usual ones. */
  readonly authorities?: Readonly<Record<string, string>>
  /** Default 10,000. */
  readonly connectMs?: number
  /** Default 16 KiB. */
  readonly maxHeaderBytes?: number
  /** Default: the resolver of this machine. */
  readonly lookup?: typeof systemLookup
}

export interface DownloadAgents {
  readonly agent: Agent
  readonly allowed: AllowedRanges
  readonly ports: ReadonlySet<number>
  close(): Promise<void>
}

const usualPorts = [80, 443]

/** What the guard throws, for `failureOf`. */
class BlockedPeerError extends Error {
  readonly code: 'BLOCKED_ADDRESS' | 'BLOCKED_PORT'

  constructor(code: BlockedPeerError['code'], host: string) {
    super(`${host} is not to be called`)
    this.name = 'BlockedPeerError'
    this.code = code
  }
}

export function createDownloadAgents(options: DownloadAgentsOptions = {}): DownloadAgents {
  const { allowed = [], authorities = {}, connectMs = 10_000 } = options
  const ports = new Set([...usualPorts, ...(options.ports ?? [])])
  const lookup = guardedLookup(options.lookup ?? systemLookup, allowed)
  const usual = buildConnector({ timeout: connectMs, lookup })
  const byHost = new Map(
    Object.entries(authorities).map(([host, ca]) => [
      host,
      buildConnector({ timeout: connectMs, lookup, ca: [...rootCertificates, ca] }),
    ]),
  )
  const connect: buildConnector.connector = (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
    const connector = byHost.get(target.hostname) ?? usual
    connector(target, (...result) => {
      const [error, socket] = result
      if (error !== null) return callback(error, null)
      const fault = faultOf(socket.remoteAddress ?? '', port, allowed, ports)
      if (fault === null) return callback(null, withPatientEnd(socket))
      socket.destroy()
      callback(new BlockedPeerError(fault, target.hostname), null)
    })
  }
  const agent = new Agent({
    connect,
    maxHeaderSize: options.maxHeaderBytes ?? 16 * 1024,
    // A signal limits what is slow; undici's own limits are given with each request.
    autoSelectFamily: true,
  })
  return { agent, allowed, ports, close: () => agent.destroy() }
}

function faultOf(
  peer: string,
  port: number,
  allowed: AllowedRanges,
  ports: ReadonlySet<number>,
): BlockedPeerError['code'] | null {
  if (isBlockedAddress(peer, allowed)) return 'BLOCKED_ADDRESS'
  return ports.has(port) || isAllowedAddress(peer, allowed) ? null : 'BLOCKED_PORT'
}

/** Of the addresses of a name those that may be called; an error when there is none. */
function guardedLookup(lookup: typeof systemLookup, allowed: AllowedRanges): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const open: readonly LookupAddress[] = addresses.filter(
        ({ address }) => !isBlockedAddress(address, allowed),
      )
      const [first] = open
      if (first === undefined)
        return callback(new BlockedPeerError('BLOCKED_ADDRESS', hostname), [])
      if (options.all === true) return callback(null, [...open])
      callback(null, first.address, first.family)
    })
  }
}
