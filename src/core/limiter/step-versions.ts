/**
 * The versions of `step` a limiter may run.
 *
 * A run keeps the version it was started with, so that a replay computes the leases it granted; the
 * next run (continue-as-new, a new start) takes the newest. Once there is a release, the old one stays here
 * beside it until no run of it is open. Before that it does not: an open run of version 1, 2 or 3 goes on with
 * the newest, and `carry-over.ts` keeps what has meant the same in all of them.
 */
import { STEP_VERSION } from './limiter-state.ts'
import { step } from './step.ts'

const versions = new Map([[STEP_VERSION, step]])

/** A version this code does not know (a newer client started the limiter) runs as the newest known. */
export function stepOfVersion(version: number): typeof step {
  return versions.get(version) ?? step
}
