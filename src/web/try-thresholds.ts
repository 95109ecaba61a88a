import { setTimeout as sleep } from 'node:timers/promises'
import { previewThresholds, type ThresholdPreview } from '../client/match/threshold-preview.ts'
import type { DecisionThresholds } from '../core/project-settings.ts'
import type { Project } from '../db/projects.repo.ts'
import type { WebContext } from './web-context.ts'

/** Most projects are weighed by then; of others it is told that they are not yet. */
const PATIENCE_MS = 100

/** What other thresholds would change, as far as is known within a moment. */
export async function tryThresholds(
  { weighed }: WebContext,
  project: Project,
  thresholds: DecisionThresholds,
): Promise<ThresholdPreview> {
  const { soFar, ended } = await weighed.of(project)
  await Promise.race([ended, sleep(PATIENCE_MS)])
  return previewThresholds(soFar(), thresholds)
}
