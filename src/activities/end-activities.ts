/**
 * What is done at the end of a run: a command, then a webhook, each with the report of the run. Trouble is noted beside
 * the run and shown; the run stays what it is.
 *
 *   begin ──▶ done | failed ──▶ never again, whatever repeats this activity
 *     └── webhook away ──▶ noted, tried again with a delay, at most 4 times
 *
 * What is run or called never leaves the database: histories have its number only.
 */
import { cancellationSignal } from '@temporalio/activity'
import { CancelledFailure } from '@temporalio/common'
import type { EndAction, EndActionKind, EndCommand } from '../core/end-action.ts'
import { retryDelayMs } from '../core/retry-delay.ts'
import type { Db } from '../db/connect.ts'
import {
  beginEndAction,
  endActionsOf,
  findEndAction,
  noteEndAction,
} from '../db/end-actions.repo.ts'
import { countProject } from '../db/run-progress.repo.ts'
import { runReport } from '../db/run-report.ts'
import { findRun, type Run } from '../db/runs.repo.ts'
import { OutsideCallError, RecordLinkerError } from '../errors.ts'
import type { Exchange } from '../http/exchange-record.ts'
import type { HttpClient } from '../http/http-client.ts'
import type { EndActivities } from './activity-contracts.ts'
import { withHeartbeat } from './heartbeat.ts'
import { recordExchange } from './record-exchange.ts'
import { runCommand } from './run-command.ts'
import { runGone } from './run-settings.ts'
import { waitFailure, withFailures } from './to-failure.ts'

/** A worker that dies while a command runs costs one. */
const COMMAND_ATTEMPTS = 3
const COMMAND_TIMEOUT_MS = 5 * 60_000
const NEVER_SENT = new Set(['no_permit_soon', 'worker_stopping'])
const WEBHOOK_ATTEMPTS = 4
const WEBHOOK_TIMEOUT_MS = 30_000
/** A receiver that wants to be told later than this is not told. */
const LONGEST_WAIT_MS = 15 * 60_000

export interface EndActivityDeps {
  readonly db: Db
  readonly http: Pick<HttpClient, 'request'>
  /** Whether this worker runs commands; see `RECORD_LINKER_END_COMMANDS`. */
  readonly runsCommands: boolean
  readonly random: () => number
  /** Default 5 min. */
  readonly commandTimeoutMs?: number | undefined
}

interface Trouble {
  readonly code: string
  readonly message: string
}

export function createEndActivities(deps: EndActivityDeps): EndActivities {
  const { db } = deps
  return {
    runEndActions: ({ runId }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const run = await findRun(db, runId)
          if (run === undefined) throw runGone(runId)
          const action = await actionOf(db, run)
          const report = JSON.stringify(
            await runReport(db, run.projectId, await countProject(db, run.projectId), run, true),
          )
          try {
            if (action?.command != null) await command(deps, run, action.command, report)
            if (action?.webhook != null) await webhook(deps, run, action.webhook, report)
          } catch (error) {
            if (isCancelledByHand(error)) await cancelStarted(db, run)
            throw error
          }
          const states = await endActionsOf(db, runId)
          return Object.fromEntries(states.map(({ kind, status, code }) => [kind, code ?? status]))
        }),
      ),
  }
}

/** Not by a worker that stops: that is gone on with by another. */
function isCancelledByHand(error: unknown): boolean {
  return error instanceof CancelledFailure && error.message === 'CANCELLED'
}

async function cancelStarted(db: Db, run: Run): Promise<void> {
  for (const { kind, status } of await endActionsOf(db, run.id)) {
    if (status === 'started') await over(db, run, kind, cancelled)
  }
}

async function actionOf(db: Db, run: Run): Promise<EndAction | undefined> {
  const { endActionId } = run.options
  return endActionId == null ? undefined : findEndAction(db, run.projectId, endActionId)
}

async function command(
  { db, runsCommands, commandTimeoutMs = COMMAND_TIMEOUT_MS }: EndActivityDeps,
  run: Run,
  line: EndCommand,
  report: string,
): Promise<void> {
  const attempt = await beginEndAction(db, run.id, 'command')
  if (attempt === null) return
  if (!runsCommands) return over(db, run, 'command', commandsOff)
  if (attempt > COMMAND_ATTEMPTS) return over(db, run, 'command', interrupted)
  const { trouble } = await runCommand(line, {
    stdin: `${report}\n`,
    env: {
      RECORD_LINKER_PROJECT: String(run.projectId),
      RECORD_LINKER_RUN: String(run.number),
      RECORD_LINKER_STATUS: run.status,
    },
    timeoutMs: commandTimeoutMs,
    signal: cancellationSignal(),
  })
  await over(db, run, 'command', trouble)
}

async function webhook(
  { db, http, random }: EndActivityDeps,
  run: Run,
  url: string,
  report: string,
): Promise<void> {
  const attempt = await beginEndAction(db, run.id, 'webhook')
  if (attempt === null) return
  const exchanges: Exchange[] = []
  try {
    await http.request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: '*/*',
        // A receiver that answered into the void can tell the repeat.
        'idempotency-key': `${run.temporalRunId}-end`,
      },
      body: report,
      signal: cancellationSignal(),
      project: `project/${run.projectId}`,
      attempt,
      timeouts: { headersMs: WEBHOOK_TIMEOUT_MS, totalMs: WEBHOOK_TIMEOUT_MS },
      onExchange: (exchange) => void exchanges.push(exchange),
    })
    await over(db, run, 'webhook', null)
  } catch (error) {
    if (!(error instanceof RecordLinkerError)) throw error
    // It arrived, whatever the answer looks like.
    if (isSuccess(error)) return over(db, run, 'webhook', null)
    const trouble = troubleOf(error)
    // Our own queue for permits costs no attempt, and neither does our own end.
    const attempts = NEVER_SENT.has(trouble.code) ? attempt - 1 : attempt
    const delayMs = Math.max(
      retryDelayMs(attempt, random()),
      error instanceof OutsideCallError ? (error.retryAfterMs ?? 0) : 0,
    )
    const isOver = isFinal(error) || attempts >= WEBHOOK_ATTEMPTS || delayMs > LONGEST_WAIT_MS
    if (isOver) return over(db, run, 'webhook', trouble)
    await noteEndAction(db, run.id, { kind: 'webhook', status: 'started', attempts, ...trouble })
    throw waitFailure(trouble.code, trouble.message, delayMs)
  } finally {
    // Beside the run: its requests are those that asked about records. The address may be a secret.
    for (const exchange of exchanges) {
      await recordExchange(db, null, { ...exchange, message: null }, [])
    }
  }
}

function isSuccess(error: RecordLinkerError): boolean {
  const status = error instanceof OutsideCallError ? (error.status ?? 0) : 0
  return status >= 200 && status < 300
}

function isFinal(error: RecordLinkerError): boolean {
  if (!(error instanceof OutsideCallError)) return true
  return error.kind === 'permanent' || error.kind === 'endpoint'
}

/** Without the address, whose path may be a secret: messages of calls name it. */
function troubleOf(error: RecordLinkerError): Trouble {
  const { code } = error
  if (!(error instanceof OutsideCallError)) return { code, message: error.message }
  const { status } = error
  const how = status === undefined ? `gave no answer (${code})` : `answered ${status} (${code})`
  return { code, message: `The address ${how}; expected 200 to 299.` }
}

async function over(db: Db, run: Run, kind: EndActionKind, trouble: Trouble | null): Promise<void> {
  await noteEndAction(db, run.id, {
    kind,
    status: trouble === null ? 'done' : 'failed',
    code: trouble?.code ?? null,
    message: trouble?.message ?? null,
  })
}

const commandsOff: Trouble = {
  code: 'commands_off',
  message:
    'The worker does not run commands. Where it should: RECORD_LINKER_END_COMMANDS=on in its environment.',
}

const cancelled: Trouble = { code: 'cancelled', message: 'It was cancelled by hand.' }

const interrupted: Trouble = {
  code: 'command_interrupted',
  message: `Its worker died ${COMMAND_ATTEMPTS} times while it ran.`,
}
