import type { EndActionState } from '../../core/end-action.ts'
import type { Db } from '../../db/connect.ts'
import { endActionsOf } from '../../db/end-actions.repo.ts'
import type { Run } from '../../db/runs.repo.ts'
import { oneLine, say } from '../output.ts'

const names: Readonly<Record<EndActionState['kind'], string>> = {
  command: 'The command at its end',
  webhook: 'The webhook at its end',
}

/** Says what went wrong, or is still going on, after a run. */
export async function sayEndTrouble(db: Db, run: Run): Promise<void> {
  if (run.options.endActionId == null) return
  for (const { kind, status, attempts, code, message } of await endActionsOf(db, run.id)) {
    if (status === 'done') continue
    const what = status === 'failed' ? 'failed' : `is under way, attempt ${attempts}`
    const why = code === null ? '' : `: ${oneLine(message ?? '')} [${code}]`
    say(`${names[kind]} ${what}${why}`)
  }
}
