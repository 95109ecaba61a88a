import { hostname } from 'node:os'

/** Which process met an error, for people; the identity of its worker in Temporal. */
export const workerName = `${process.pid}@${hostname()}`
