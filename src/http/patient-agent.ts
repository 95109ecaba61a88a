import { Agent, buildConnector } from 'undici'
import { withPatientEnd } from './patient-end.ts'

/**
 * Connections whose end waits until somebody reads.
 * @param connectMs until a connection stands
 */
export function createPatientAgent(connectMs: number): Agent {
  const connect = buildConnector({ timeout: connectMs })
  return new Agent({
    connect: (target, callback) =>
      connect(target, (...result) => {
        const [error, socket] = result
        if (error === null) callback(null, withPatientEnd(socket))
        else callback(error, null)
      }),
  })
}
