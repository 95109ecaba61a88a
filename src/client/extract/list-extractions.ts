import { listExtractRuns } from '../../db/extract-runs.repo.ts'
import { momentText } from '../moment-text.ts'
import { withMatchContext } from '../match/match-context.ts'
import { type OutputFormat, printAnswer, tableText } from '../output.ts'
import { type ExtractionReport, readExtractionReport } from './extraction-report.ts'
import { reconciledExtraction } from './reconcile-extraction.ts'

/** The command `extract list`. */
export async function listExtractions(flags: {
  readonly limit: number
  readonly output: OutputFormat
}): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    const listed: (Omit<ExtractionReport, 'types'> & {
      types: readonly string[]
      startedAt: Date
    })[] = []
    for (const { id } of await listExtractRuns(db, flags.limit)) {
      const run = await reconciledExtraction(client, db, id)
      const { types, ...report } = await readExtractionReport(db, run)
      listed.push({ ...report, types: types.map(({ type }) => type), startedAt: run.startedAt })
    }
    printAnswer(flags.output, listed, () =>
      listed.length === 0
        ? 'Nothing was extracted yet.'
        : tableText(
            ['run', 'source', 'dataset', 'status', 'items', 'errors', 'started'],
            listed.map(({ run, source, dataset, status, items, errors, startedAt }) => [
              run,
              source,
              dataset,
              status,
              items,
              errors,
              momentText(startedAt.getTime(), Date.now()),
            ]),
          ),
    )
  })
}
