/** A start that is asked for over HTTP: answered at once, and the same run however often it is asked. */
import { canonicalText } from '../core/canonical-text.ts'
import { defaultRunOptions, type RunOptions } from '../core/run.ts'
import { failedPick, type PickFlags } from '../client/failures/failed-pick.ts'
import { existingProject } from '../client/match/match-context.ts'
import { checkContact, planStart } from '../client/match/plan-start.ts'
import { startMatch } from '../client/match/start-match.ts'
import { findStartRequest, keepStartRequest } from '../db/start-requests.repo.ts'
import { ProblemError } from './problem.ts'
import { matchContext, type WebContext } from './web-context.ts'

export interface RunWish {
  readonly projectId: number
  readonly options: Partial<RunOptions>
  /** Of a retry: only these of the failed records. */
  readonly pick?: PickFlags | undefined
  /** Of the header Idempotency-Key. */
  readonly key: string | null
}

export type StartedRun =
  | { readonly kind: 'started' | 'joined'; readonly temporalRunId: string }
  /** There is nothing to do; the last run, if there is one. */
  | { readonly kind: 'nothing_due'; readonly temporalRunId: string | null }

/** Where a person follows it: its row is there a moment after its start, and the page waits for that. */
export function runPage(projectId: number, temporalRunId: string | null): string {
  return `/p/${projectId}${temporalRunId === null ? '' : `?starting=${temporalRunId}`}`
}

/**
 * @throws UsageError `other_run_open`, `contact_required`, `unknown_project`, …
 * @throws ProblemError `idempotency_key_reused`
 */
export async function startRun(context: WebContext, wish: RunWish): Promise<StartedRun> {
  const { projectId, key } = wish
  const match = await matchContext(context)
  const project = await existingProject(context.db, projectId)
  const request = {
    projectId,
    key: key ?? '',
    asked: canonicalText({ options: wish.options, pick: wish.pick ?? null }),
  }
  if (key !== null) {
    const earlier = await findStartRequest(context.db, request)
    if (earlier === 'other') {
      throw new ProblemError(422, {
        code: 'idempotency_key_reused',
        detail: `The key "${key}" was used for a start with other options.`,
        hint: 'Take a new key for a new start.',
      })
    }
    if (earlier !== undefined) return { kind: 'joined', ...earlier }
  }
  const asked: RunOptions = { ...defaultRunOptions, ...wish.options }
  checkContact(match, project, asked)
  const failed = await failedPick(context.db, project, wish.pick ?? {}, true, () => undefined)
  const options = { ...asked, failed }
  const { isIdle, lastRun } = await planStart(match, project, options)
  if (isIdle) return { kind: 'nothing_due', temporalRunId: lastRun?.temporalRunId ?? null }
  const started = await startMatch(match.client, {
    projectId,
    projectName: project.name,
    settingsRevision: project.revision,
    options,
    ...(context.taskQueue === undefined ? {} : { taskQueue: context.taskQueue }),
  })
  if (key !== null) await keepStartRequest(context.db, request, started.temporalRunId)
  return {
    kind: started.attached ? 'joined' : 'started',
    temporalRunId: started.temporalRunId,
  }
}
