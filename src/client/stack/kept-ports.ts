import { z } from 'zod'
import { UnavailableError } from '../../errors.ts'
import { isPortFree } from './free-port.ts'
import { reservePort } from './reserve-port.ts'
import { readJsonFile, writePrivateFile } from './private-file.ts'

/** First choices, outside the range that systems give to outgoing connections. */
const preferredPorts = {
  postgres: 5633,
  temporal: 7633,
  temporalUi: 8633,
  sampleService: 8733,
  pages: 8533,
}

/** For people. */
const names = {
  postgres: 'PostgreSQL',
  temporal: 'Temporal',
  temporalUi: 'its Web UI',
  sampleService: 'the sample service',
  pages: 'the pages',
}

export type PortName = keyof typeof preferredPorts

/** How many ports above the first choice are tried: so many homes can run at once. */
const TRIES = 200

const schema = z.partialRecord(z.enum(Object.keys(preferredPorts)), z.int().positive())

/** The ports of a home, kept in a file so that its addresses survive restarts. */
export interface KeptPorts {
  /** The port used before, if any; somebody else may hold it by now. */
  readonly last: (name: PortName) => number | undefined
  /** The port used before when it is free, else another one (saying so), kept and reserved from now on. */
  readonly choose: (name: PortName) => Promise<number>
  /** Ends all reservations. */
  readonly release: () => void
}

export function keptPorts(file: string, report: (line: string) => void): KeptPorts {
  const ports: Partial<Record<string, number>> = readJsonFile(file, schema) ?? {}
  const reserved = new Map<number, () => void>()
  const reserve = (port: number) => {
    if (reserved.has(port)) return true
    const release = reservePort(port)
    if (release) reserved.set(port, release)
    return release !== undefined
  }
  const firstFree = async (first: number, name: PortName) => {
    const others = Object.keys(ports).flatMap((other) => (other === name ? [] : ports[other]))
    for (let port = first; port < first + TRIES && port < 65_536; port++) {
      if (!others.includes(port) && (await isPortFree(port)) && reserve(port)) return port
    }
    throw new UnavailableError({
      code: 'no_free_port',
      message: `None of the ports ${first} to ${first + TRIES - 1} of 127.0.0.1 is free.`,
      hint: 'Stop programs that listen there, or embedded stacks of other homes.',
    })
  }
  return {
    last: (name) => ports[name],
    choose: async (name) => {
      const before = ports[name]
      const port = await firstFree(before ?? preferredPorts[name], name)
      if (before !== undefined && port !== before) {
        report(`Port ${before} is held by another program; ${names[name]} moves to port ${port}.`)
      }
      ports[name] = port
      writePrivateFile(file, JSON.stringify(ports))
      return port
    },
    release: () => {
      for (const release of reserved.values()) release()
      reserved.clear()
    },
  }
}
