import { counted } from '../../core/counted.ts'
import { COMMONS } from '../../core/commons/image-address.ts'
import type { ExtendProjectInput } from '../../core/item-extension.ts'
import { extendProjectId } from '../../core/workflow-ids.ts'
import { countImages, type ImageQuestion } from '../../db/image-checks.repo.ts'
import {
  countValues,
  failedValues,
  type ValueCounts,
  type ValueQuestion,
} from '../../db/item-values.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { ExtendFlags } from '../commands/extend.ts'
import { exitCodes } from '../exit-codes.ts'
import { refuseOtherFiles } from '../export/earlier-export.ts'
import { formatOfEnding } from '../export/format-of-ending.ts'
import { exportResults } from '../export/export-results.ts'
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
import { printAnswer, say } from '../output.ts'
import { fileSink } from '../text-sink.ts'
import { followExtension } from './follow-extension.ts'
import { imageQuestionOf, imageReportText, readImageReport } from './image-report.ts'
import { startExtension } from './start-extension.ts'

const FAILURES_SHOWN = 10
const OUT_FORMATS = ['csv', 'jsonl', 'json'] as const
/** Extensions that one command follows, ours and one that was there before. */
const MOST_ROUNDS = 3

/** The command `extend`. */
export async function runExtend(flags: ExtendFlags): Promise<void> {
  // Refused before anybody is asked.
  if (flags.out !== undefined) formatOfEnding(flags.out, OUT_FORMATS)
  if (flags.out !== undefined && flags.force !== true)
    await refuseOtherFiles(flags.out, 'match_qid')
  await withMatchContext(async (context) => {
    const project = await existingProject(context.db, flags.project)
    if (flags.stop === true) {
      return stopAndTell(context.client, extendProjectId(project.id), flags, {
        stopped: 'Stopped; what was answered stays.',
        notRunning: `No extension of project ${project.id} goes on.`,
      })
    }
    const { id: projectId, settings } = project
    const now = new Date()
    const question: ValueQuestion = {
      projectId,
      service: settings.service,
      properties: flags.property,
      ...(flags.refreshOlderThan === undefined
        ? {}
        : { renewBefore: new Date(now.getTime() - flags.refreshOlderThan).toISOString() }),
    }
    const wanted: Wanted = {
      question,
      images: flags.checkImages === true ? imageQuestionOf(question, now.toISOString()) : null,
    }
    const before = await countValues(context.db, question)
    if (before.items === 0) throw nothingMatched(project)
    const isKnown = before.failed === 0 && (await isDone(context, wanted))
    if (isKnown)
      say(`All of it is known of ${counted(before.items, 'item')} already; nobody was asked.`)
    else if ((await fetchAll(context, project, wanted, flags)) !== 'ended') return
    await report(context, project, wanted, flags)
  })
}

interface Wanted {
  readonly question: ValueQuestion
  /** null: nobody wants to know. */
  readonly images: ImageQuestion | null
}

/** Everything was asked, whatever came of it. */
async function isDone({ db }: MatchContext, { question, images }: Wanted): Promise<boolean> {
  if ((await countValues(db, question)).missing > 0) return false
  return images === null || (await countImages(db, images)).unchecked === 0
}

/** An extension that went on already may have been about other properties: then ours follows. */
async function fetchAll(
  context: MatchContext,
  project: Project,
  wanted: Wanted,
  flags: ExtendFlags,
): Promise<'ended' | 'left'> {
  const { question, images } = wanted
  const refusal =
    missingContact(context, project) ??
    (images === null
      ? null
      : missingContact(context, { ...project, settings: { service: COMMONS } }))
  if (refusal !== null) throw refusal
  for (let round = 1; ; round += 1) {
    const { client, stack } = context
    const { projectId, properties, renewBefore } = question
    const input: ExtendProjectInput = {
      projectId,
      properties,
      ...(renewBefore === undefined ? {} : { renewBefore }),
      ...(images === null ? {} : { imagesSince: images.since }),
    }
    const handle = await startExtension(client, input)
    const url = workflowUrl(stack, handle.workflowId)
    say(`Started.${url === undefined ? '' : ` Web UI: ${url}`}`)
    if (flags.detach === true) {
      printAnswer(flags.output, { project: project.id, status: 'running' }, () => 'It goes on.')
      return 'left'
    }
    if ((await followExtension(context, handle, question, images)) === 'left') {
      say(
        `\nLeft. It goes on; the same command joins it again.\nStop it: ./record-linker extend --project ${project.id} --property ${flags.property.join(',')} --stop`,
      )
      process.exitCode = exitCodes.interrupted
      return 'left'
    }
    await workflowResult(handle, STOPPED)
    // Something else goes on matching, or changed the service: what there is now is reported.
    if (round === MOST_ROUNDS || (await isDone(context, wanted))) return 'ended'
  }
}

async function report(
  { db }: MatchContext,
  project: Project,
  { question, images }: Wanted,
  flags: ExtendFlags,
): Promise<void> {
  const counts = await countValues(db, question)
  const failures = await failedValues(db, question, FAILURES_SHOWN)
  for (const { id, code, message } of failures) say(`Could not ask for ${id}: ${message} [${code}]`)
  if (counts.failed > failures.length) say(`… and ${counts.failed - failures.length} more items`)
  const found = images === null ? null : await readImageReport(db, images)
  if (counts.failed > 0 || (found?.counts.failed ?? 0) > 0) {
    say('The same command asks for them again.')
    process.exitCode = exitCodes.failedRecords
  }
  const answer = {
    project: project.id,
    properties: question.properties,
    ...counts,
    ...(found === null ? {} : { images: found.counts, faultyImages: found.faulty }),
  }
  const text = [
    countsText(project, counts),
    ...(found === null ? [] : [imageReportText(found)]),
  ].join('\n')
  if (flags.out === undefined) {
    printAnswer(flags.output, answer, () => text)
    say(
      `Next: ./record-linker export --project ${project.id} --with ${question.properties.join(',')}`,
    )
    return
  }
  const sink = await fileSink(flags.out)
  try {
    const request = {
      format: formatOfEnding(flags.out, OUT_FORMATS),
      prefix: 'match_',
      statuses: [],
      excel: false,
      includeAbsent: false,
      properties: question.properties,
    } as const
    const { rows } = await exportResults(db, project, request, sink)
    await sink.finish()
    printAnswer(flags.output, { ...answer, rows, file: flags.out }, () =>
      [text, `${counted(rows, 'row')} in ${flags.out ?? ''}`].join('\n'),
    )
  } catch (error) {
    await sink.discard()
    throw error
  }
}

function countsText({ id }: Project, { items, known, missing, failed }: ValueCounts): string {
  const rest = [
    ...(failed === 0 ? [] : [`${failed} could not be asked`]),
    ...(missing === 0 ? [] : [`${missing} are not asked yet`]),
  ]
  return [`Project ${id}: ${known} of ${counted(items, 'matched item')} known`, ...rest].join(', ')
}

const STOPPED = {
  code: 'extension_stopped',
  message: 'The extension was stopped before it was done.',
  hint: 'What was answered is kept; the same command asks for the rest.',
}
