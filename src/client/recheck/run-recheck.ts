import { counted } from '../../core/counted.ts'
import { recheckProjectId } from '../../core/workflow-ids.ts'
import {
  countItemStates,
  type MatchedItems,
  type MovedItem,
  readMovedItems,
  type StateCounts,
} from '../../db/item-states.repo.ts'
import { replaceGoldItems } from '../../db/gold-items.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { RecordLinkerError } from '../../errors.ts'
import { fileSource } from '../../tabular/byte-source.ts'
import type { RecheckFlags } from '../commands/recheck.ts'
import { readGold } from '../evaluate/read-gold.ts'
import { exitCodes } from '../exit-codes.ts'
import {
  existingProject,
  type MatchContext,
  withMatchContext,
  workflowUrl,
} from '../match/match-context.ts'
import { missingContact } from '../match/missing-contact.ts'
import { nothingMatched } from '../match/nothing-matched.ts'
import { stopAndTell } from '../match/stop-workflow.ts'
import { workflowResult } from '../match/workflow-result.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { followRecheck } from './follow-recheck.ts'
import { startRecheck } from './start-recheck.ts'

const ROWS_SHOWN = 20

/** The command `recheck`. */
export async function runRecheck(flags: RecheckFlags): Promise<void> {
  const gold = flags.gold === undefined ? undefined : await fileSource(flags.gold)
  await withMatchContext(async (context) => {
    const { client, db, stack } = context
    const project = await existingProject(db, flags.project)
    if (flags.stop === true) {
      return stopAndTell(client, recheckProjectId(project.id), flags, {
        stopped: 'Stopped; what is found out stays.',
        notRunning: `No recheck of project ${project.id} goes on.`,
      })
    }
    const { id: projectId } = project
    const items: MatchedItems = { projectId, service: project.settings.service }
    const since = new Date().toISOString()
    if (gold !== undefined) {
      const answers = await readGold(gold, items.service)
      const ids = [...answers.values()].filter((qid) => qid !== null)
      await replaceGoldItems(db, projectId, new Set(ids))
    }
    if ((await countItemStates(db, items, since)).items === 0) throw nothingMatched(project)
    const refusal = missingContact(context, project)
    if (refusal !== null) throw refusal
    const handle = await startRecheck(client, { projectId, since })
    const url = workflowUrl(stack, handle.workflowId)
    say(`Started.${url === undefined ? '' : ` Web UI: ${url}`}`)
    if ((await followRecheck(context, handle, items, since)) === 'left') {
      say(
        `\nLeft. It goes on; the same command joins it again.\nStop it: ./record-linker recheck --project ${projectId} --stop`,
      )
      process.exitCode = exitCodes.interrupted
      return
    }
    const result = await workflowResult(handle, STOPPED)
    if (!result.canTell) throw cannotTell(project)
    await report(context, items, result.since, flags)
  })
}

async function report(
  { db }: MatchContext,
  items: MatchedItems,
  since: string,
  flags: RecheckFlags,
): Promise<void> {
  const counts = await countItemStates(db, items, since)
  const records = await readMovedItems(db, items)
  const answer = { project: items.projectId, service: items.service, ...counts, records }
  printAnswer(flags.output, flags.output === 'jsonl' ? records : answer, () =>
    [countsText(items, counts), ...recordLines(records)].join('\n'),
  )
  if (records.length > 0) {
    const stale = records.filter((record) => record.stale).length
    say(`No match was changed; judgments that are stale now: ${stale}.`)
    say(`Say what is right: ./record-linker judgments import FILE --project ${items.projectId}`)
  }
  if (counts.failed > 0) {
    say(`${counted(counts.failed, 'item')} could not be asked; the same command asks again.`)
    process.exitCode = exitCodes.failedRecords
  }
}

function countsText({ projectId }: MatchedItems, counts: StateCounts): string {
  const parts = (['present', 'merged', 'missing', 'failed', 'unchecked'] as const)
    .filter((state) => state === 'present' || counts[state] > 0)
    .map((state) => `${counts[state]} ${state}`)
  return `Project ${projectId}: ${counted(counts.items, 'item')}: ${parts.join(', ')}`
}

function recordLines(records: readonly MovedItem[]): readonly string[] {
  if (records.length === 0) return []
  const hidden = records.length - ROWS_SHOWN
  return [
    '',
    tableText(
      ['record', 'item', 'label', 'now', 'by'],
      records
        .slice(0, ROWS_SHOWN)
        .map(({ id, qid, label, mergedInto, judged, stale }) => [
          id,
          qid,
          label,
          mergedInto === null ? 'no longer there' : `merged into ${mergedInto}`,
          judged ? `judged${stale ? ', now stale' : ''}` : 'matched',
        ]),
    ),
    ...(hidden > 0 ? [`… and ${hidden} more: -o jsonl`] : []),
  ]
}

const STOPPED = {
  code: 'recheck_stopped',
  message: 'The recheck was stopped before it was done.',
  hint: 'What is found out is kept; the same command begins anew.',
}

function cannotTell({ id, settings }: Project): RecordLinkerError {
  return new RecordLinkerError({
    code: 'cannot_tell',
    message: `The service ${settings.service} found no item of project ${id} by its id, so it cannot tell which were merged or deleted.`,
    hint: 'Nothing was written. A service of Wikidata, or serve-kb with a newer file, can tell.',
  })
}
