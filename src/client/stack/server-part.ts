import { isPortFree } from './free-port.ts'
import type { Part } from './keep-running.ts'
import type { KeptPorts, PortName } from './kept-ports.ts'
import type { ProcessMark } from './process-identity.mjs'

/** A part that others connect to. */
export interface ServerPart extends Part {
  /** Valid once it started; the same after every restart. */
  readonly address: () => string
}

/** Somebody else may take a free port between our look and our server's; then another is tried. */
const PORT_TRIES = 5

/** Starts a server on its kept ports, or on others where a stranger holds one. */
export async function startOnKeptPorts(
  ports: KeptPorts,
  names: readonly PortName[],
  start: (ports: readonly number[]) => Promise<ProcessMark>,
): Promise<ProcessMark> {
  for (let tries = 1; ; tries++) {
    const chosen: number[] = []
    for (const name of names) chosen.push(await ports.choose(name))
    try {
      return await start(chosen)
    } catch (error) {
      const free = await Promise.all(chosen.map(isPortFree))
      if (tries === PORT_TRIES || free.every(Boolean)) throw error
    }
  }
}
