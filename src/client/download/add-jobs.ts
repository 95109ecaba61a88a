import { newJob, plainDoi, type JobWish } from '../../core/download/artifact-id.ts'
import { imageProperties } from '../../core/commons/image-properties.ts'
import { imageAddress } from '../../core/commons/image-address.ts'
import type { Artifact, NewJob } from '../../core/download/artifact.ts'
import type { QueueOptions } from '../../core/download/queue-options.ts'
import type { Db } from '../../db/connect.ts'
import { enqueueJobs, type Intake } from '../../db/job-intake.repo.ts'
import { neverAnswered } from '../../db/item-values.repo.ts'
import { type MatchedBy, type StatedFile, statedFiles } from '../../db/stated-files.repo.ts'
import { UsageError } from '../../errors.ts'
import { parseHttpUrl } from '../../http/http-url.ts'
import { fileSource } from '../../tabular/byte-source.ts'
import { openTable } from '../../tabular/open-table.ts'
import type { DownloadSetFlags } from '../commands/download-flags.ts'
import type { OutputFlag } from '../commands/download.ts'
import { withMatchContext } from '../match/match-context.ts'
import { exitCodes } from '../exit-codes.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { jobsAddedSignal } from '../../workflows/messages.ts'
import { existingProject, type MatchContext } from '../match/match-context.ts'
import { artifactOfRow } from './artifact-row.ts'
import { setUpQueue, tellDispatcher } from './opened-queue.ts'

/** Jobs of one statement. */
const PER_STATEMENT = 1_000
const FAULTS_SHOWN = 20

export interface EnqueueFlags extends DownloadSetFlags, OutputFlag {
  readonly doi?: readonly string[]
  readonly commons?: readonly string[]
  readonly width?: number
  readonly name?: string
  readonly priority?: number
}

/** The command `download enqueue`. */
export async function enqueueFiles(urls: readonly string[], flags: EnqueueFlags): Promise<void> {
  const { doi = [], commons = [], width, name, priority } = flags
  const rows = [
    ...urls.map((url) => ({ url })),
    ...doi.map((one) => ({ doi: one })),
    ...commons.map((file) => ({
      commons: file,
      ...(width === undefined ? {} : { width: `${width}` }),
    })),
  ].map((row) => artifactOfRow({ ...row, ...(name === undefined ? {} : { name }) }))
  const faults = rows.flatMap((row) => ('faults' in row ? row.faults : []))
  if (rows.length === 0 || faults.length > 0) {
    throw new UsageError({
      code: 'bad_artifact',
      message:
        rows.length === 0
          ? 'No file was named; expected an address, --doi or --commons.'
          : faults.join('; '),
    })
  }
  const wishes = rows.flatMap((row) => ('wish' in row ? [{ ...row.wish, priority }] : []))
  await withMatchContext(async (context) => {
    const { options } = await setUpQueue(context.db, flags)
    const intake = await addAll(context.db, flags.queue, jobsOf(wishes, options))
    await told(context, flags, { ...intake, rejected: [] })
  })
}

/** The command `download import`. */
export async function importFiles(
  path: string,
  flags: DownloadSetFlags & OutputFlag,
): Promise<void> {
  const table = await openTable(await fileSource(path))
  await withMatchContext(async (context) => {
    const { options } = await setUpQueue(context.db, flags)
    const sum = { inserted: 0, existing: 0 }
    const rejected: RejectedRow[] = []
    for await (const batch of table.batches()) {
      const wishes: JobWish[] = []
      rejected.push(...batch.rejected.map(({ line, reason }) => ({ line, reason })))
      for (const { line, cells } of batch.records) {
        const read = artifactOfRow(cells)
        if ('faults' in read) rejected.push({ line, reason: read.faults.join('; ') })
        else if (newJob(read.wish, options) === undefined) {
          rejected.push({
            line,
            reason:
              'nothing says where it is: expected url, doi, commons, or the fields of a template',
          })
        } else wishes.push(read.wish)
      }
      const intake = await addAll(context.db, flags.queue, jobsOf(wishes, options))
      sum.inserted += intake.inserted
      sum.existing += intake.existing
    }
    await told(context, flags, {
      ...sum,
      rejected: rejected.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    })
  })
}

export interface FromProjectFlags extends DownloadSetFlags, OutputFlag {
  readonly property: readonly string[]
  readonly only: MatchedBy
  readonly width?: number
  readonly priority?: number
}

/** The command `download from-project`. */
export async function filesFromProject(projectId: number, flags: FromProjectFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const { db } = context
    const { service } = (await existingProject(db, projectId)).settings
    const properties = flags.property
    const unknown = await neverAnswered(db, service, properties)
    if (unknown.length > 0) {
      throw new UsageError({
        code: 'values_not_fetched',
        message: `What the matched items state for ${unknown.join(', ')} was never asked; expected it to be stored.`,
        hint: `./record-linker extend --project ${projectId} --property ${unknown.join(',')}`,
      })
    }
    const { options } = await setUpQueue(db, flags)
    const stated = await statedFiles(db, { projectId, service, properties, by: flags.only })
    const read = stated.map((one) => ({
      one,
      artifact: artifactOf(one, projectId, flags.width, options),
    }))
    const wishes = read.flatMap(({ artifact }) =>
      artifact === undefined ? [] : [{ artifact, priority: flags.priority }],
    )
    const intake = await addAll(db, flags.queue, jobsOf(wishes, options))
    const rejected = read
      .filter(({ artifact }) => artifact === undefined)
      .map(({ one }) => ({
        entry: one.entry,
        reason: `${one.property} of ${one.item} names no file that could be fetched`,
      }))
    await told(context, flags, { ...intake, rejected })
  })
}

function artifactOf(
  { entry, item, property, value }: StatedFile,
  projectId: number,
  widthPx: number | undefined,
  options: QueueOptions,
): Artifact | undefined {
  const origin = { projectId, entry, item, property }
  const isImage = imageProperties([property]).length > 0
  if (isImage && imageAddress(value, options.commons) !== undefined) {
    return { commonsFile: value, origin, ...(widthPx === undefined ? {} : { widthPx }) }
  }
  if (parseHttpUrl(value) !== undefined) return { urls: [value], origin }
  const doi = plainDoi(value)
  if (doi !== undefined) return { doi, origin }
  const artifact = { fields: { [property]: value, item }, origin }
  return newJob({ artifact }, options) === undefined ? undefined : artifact
}

interface RejectedRow {
  readonly line?: number
  readonly entry?: string
  readonly reason: string
}

function jobsOf(wishes: readonly JobWish[], options: QueueOptions): readonly NewJob[] {
  return wishes.flatMap((wish) => newJob(wish, options) ?? [])
}

async function addAll(db: Db, queue: string, jobs: readonly NewJob[]): Promise<Intake> {
  const sum = { inserted: 0, existing: 0 }
  for (let from = 0; from < jobs.length; from += PER_STATEMENT) {
    const { inserted, existing } = await enqueueJobs(
      db,
      queue,
      jobs.slice(from, from + PER_STATEMENT),
    )
    sum.inserted += inserted
    sum.existing += existing
  }
  return sum
}

async function told(
  { client }: MatchContext,
  { queue, output }: DownloadSetFlags & OutputFlag,
  counts: Intake & { readonly rejected: readonly RejectedRow[] },
): Promise<void> {
  const { inserted, existing, rejected } = counts
  const isRunning = inserted > 0 && (await tellDispatcher(client, queue, jobsAddedSignal, []))
  printAnswer(output, { queue, ...counts }, () =>
    tableText(
      ['queue', 'new', 'there before', 'rejected'],
      [[queue, inserted, existing, rejected.length]],
    ),
  )
  for (const { line, entry, reason } of rejected.slice(0, FAULTS_SHOWN)) {
    say(`  ${line === undefined ? `record ${entry ?? ''}` : `line ${line}`}: ${reason}`)
  }
  if (rejected.length > FAULTS_SHOWN)
    say(`  … and ${rejected.length - FAULTS_SHOWN} more; -o json shows all.`)
  if (rejected.length > 0) process.exitCode = exitCodes.failedRecords
  const flag = queue === 'default' ? '' : ` --queue ${queue}`
  say(
    isRunning
      ? 'The queue is running, and fetches them.'
      : `Fetch them: ./record-linker download run --drain${flag}`,
  )
}
