import { rememberService } from '../db/services.repo.ts'
import { defaultBatchSize } from '../http/reconciliation/reconciliation-client.ts'
import type { ServiceActivities } from './activity-contracts.ts'
import { checkKnown } from './check-known.ts'
import { withHeartbeat } from './heartbeat.ts'
import { afterOutsideError, isGivenUp, type OutsideCallDeps } from './outside-call.ts'
import { guardRun } from './run-guard.ts'
import { loadRunSettings } from './run-settings.ts'
import type { ServiceDirectory } from './service-directory.ts'
import { withFailures } from './to-failure.ts'

export interface ServiceActivityDeps extends OutsideCallDeps {
  readonly services: ServiceDirectory
}

export function createServiceActivities(deps: ServiceActivityDeps): ServiceActivities {
  const { db, services } = deps
  return {
    checkService: ({ runId, isProbe }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const { run, settings } = isProbe
            ? await loadRunSettings(db, runId)
            : await guardRun(db, runId)
          const { service } = settings
          const known = services.find(service, run.projectId)
          try {
            const { about, batchSize } = await checkKnown(deps, known, { runId, task: 0 }, true)
            await rememberService(db, service, about)
            return { batchSize }
          } catch (error) {
            // After so long without an answer the tasks go ahead and say `domain_unavailable` for each record.
            if (isGivenUp(deps, known, run, error)) return { batchSize: defaultBatchSize }
            throw afterOutsideError(deps, error)
          }
        }),
      ),
  }
}
