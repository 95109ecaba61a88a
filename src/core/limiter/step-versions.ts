/**
 * The versions of `step` a limiter may run.
 *
 * A run keeps the version it was started with, so that a replay computes the leases it granted; the
 * next run (continue-as-new, a new start) takes the newest. When `step` changes, the old one stays here
 * beside it until no run of it is open.
 */
import { STEP_VERSION } from './limiter-state.ts'
import { step } from './step.ts'

const versions = new Map([[STEP_VERSION, step]])

/** A version this code does not know (a newer client started the limiter) runs as the newest known. */
export function stepOfVersion(version: number): typeof step {
  return versions.get(version) ?? step
}
