import { availableParallelism } from 'node:os'
import { suggestedWorkers } from '../../core/extract/parallel-config.ts'
import {
  contentTypeOf,
  datasetNameOf,
  type SourceProfile,
} from '../../core/extract/source-profile.ts'
import type { Db } from '../../db/connect.ts'
import { findDataset } from '../../db/datasets.repo.ts'
import { checkDataset } from '../../db/extract-landing.ts'
import { UsageError } from '../../errors.ts'
import { isLoopback } from '../../http/loopback.ts'
import type { ExtractStartFlags } from '../commands/extract.ts'
import { type MatchContext, withMatchContext, workflowUrl } from '../match/match-context.ts'
import { say } from '../output.ts'
import { printDryRun } from './dry-run.ts'
import { extractOptions, pickTypes } from './extract-options.ts'
import { printExtraction } from './extraction-report.ts'
import { followExtraction } from './follow-extraction.ts'
import { asIncremental, incrementalTexts } from './incremental.ts'
import { readProfile } from './profile-file.ts'
import { setSourceRate } from './source-rate.ts'
import { knownExtraction } from './reconcile-extraction.ts'
import { startExtraction } from './start-extraction.ts'

/** The command `extract start`. */
export async function runExtractStart(flags: ExtractStartFlags): Promise<void> {
  const { profile, unsorted } = await readProfile(flags.profile, flags.baseUrl)
  const options = extractOptions(flags)
  const types = pickTypes(profile, flags.types)
  if (unsorted.some((type) => types.includes(type))) {
    say(
      `No sort is set for ${unsorted.join(', ')}: a list without a fixed order can repeat items and leave out others.`,
    )
  }
  await withMatchContext(async (context) => {
    const { client, db, stack } = context
    await checkDatasets(db, profile, flags.dataset, types)
    const full = { dataset: flags.dataset, profile, types, options }
    const wanted = flags.incremental === true ? await asIncremental(db, full) : full
    for (const line of incrementalTexts(wanted)) say(line)
    sayWorkers(flags)
    if (flags.dryRun === true) return printDryRun(context, wanted, flags)
    refuseWithoutContact(context, profile)
    await setSourceRate(context, profile, options.config, flags)
    const { runId, handle, attached } = await startExtraction(client, db, wanted)
    const url = workflowUrl(stack, handle.workflowId)
    say(
      `${attached ? `Joined extraction ${runId}, which is going on.` : `Started extraction ${runId}.`}${url === undefined ? '' : ` Web UI: ${url}`}`,
    )
    if (flags.detach === true) {
      await printExtraction(db, await knownExtraction(db, runId), flags.output)
      return
    }
    await followExtraction(context, runId, handle, flags.output)
  })
}

/** One page at a time is the default of a source that nobody has said to bear more. */
function sayWorkers({ workers }: ExtractStartFlags): void {
  const suggested = suggestedWorkers(availableParallelism())
  if (workers !== undefined || suggested === 1) return
  say(`Pages are read one at a time; this machine can well do with --workers ${suggested}.`)
}

async function checkDatasets(
  db: Db,
  profile: SourceProfile,
  base: string,
  types: readonly string[],
): Promise<void> {
  for (const type of types) {
    const existing = await findDataset(db, datasetNameOf(profile, base, type))
    if (existing !== undefined) checkDataset(existing, contentTypeOf(profile, type))
  }
}

/** Known only where the worker is of an embedded stack, which has the contact of this environment. */
function refuseWithoutContact({ config, stack }: MatchContext, { baseUrl }: SourceProfile): void {
  const url = new URL(baseUrl)
  if (stack.webUiUrl === undefined || config.contact !== undefined || isLoopback(url)) return
  throw new UsageError({
    code: 'contact_required',
    message: `The source is on ${url.host}, which is not on this machine; that needs a contact of yours, and none is set.`,
    hint: 'Set it and start the servers anew:\n  export RECORD_LINKER_CONTACT=you@example.org\n  ./record-linker down\n  and the same command again.',
  })
}
