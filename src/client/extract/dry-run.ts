import { domainKey } from '../../core/domain-key.ts'
import { contentTypeOf, datasetNameOf } from '../../core/extract/source-profile.ts'
import { durationText } from '../../core/work-rate.ts'
import { findDomainLimit } from '../../db/domain-limits.repo.ts'
import { lastSizes } from '../../db/extract-report.repo.ts'
import type { NewExtractRun } from '../../db/extract-runs.repo.ts'
import { pageUrl } from '../../http/extract/source-client.ts'
import type { ExtractStartFlags } from '../commands/extract.ts'
import { domainPolicy } from '../limits/domain-policy.ts'
import { limitsPlace, readLimitsFile } from '../limits/limits-file.ts'
import type { MatchContext } from '../match/match-context.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { wantedRate } from './source-rate.ts'

interface PlannedType {
  readonly type: string
  readonly dataset: string
  readonly firstRequest: string
  readonly detailRequest: string | null
  /** From the last run in which its list was complete; null: it was never read. */
  readonly requests: number | null
}

/** Shows what an extraction would ask of whom; nothing is sent or written. */
export async function printDryRun(
  { config, db }: MatchContext,
  { profile, types, options, dataset }: NewExtractRun,
  flags: ExtractStartFlags,
): Promise<void> {
  const domain = domainKey(profile.baseUrl)
  const sizes = await lastSizes(db, profile.name)
  const planned = types.map((name): PlannedType => {
    const type = contentTypeOf(profile, name)
    const before = sizes.get(name)
    const place = { position: 0, size: options.config.batchSize, cursor: null }
    return {
      type: name,
      dataset: datasetNameOf(profile, dataset, name),
      firstRequest: `GET ${pageUrl(profile, type, place)}`,
      detailRequest: type.detail === null ? null : `GET ${profile.baseUrl}${type.detail.path}`,
      requests:
        before === undefined || options.since?.[name] !== undefined
          ? null
          : before.pages + (type.detail === null ? 0 : before.items),
    }
  })
  const stored = (await findDomainLimit(db, domain))?.policy ?? null
  const policy = domainPolicy(readLimitsFile(limitsPlace(config)), domain, stored)
  const maxPerSecond = wantedRate(options.config, flags) ?? policy.maxRps
  const known = planned.flatMap(({ requests }) => requests ?? [])
  const requests =
    known.length === planned.length ? known.reduce((sum, count) => sum + count, 0) : null
  const answer = {
    source: profile.name,
    host: domain,
    sendsCredentials: profile.auth.kind !== 'none',
    maxRequestsPerSecond: maxPerSecond,
    requests,
    atLeastMs: requests === null ? null : Math.round((requests / maxPerSecond) * 1000),
    types: planned,
  }
  printAnswer(flags.output, answer, () =>
    tableText(
      ['type', 'dataset', 'requests', 'first request'],
      planned.map(({ type, dataset: name, requests: count, firstRequest, detailRequest }) => [
        type,
        name,
        count ?? 'unknown',
        detailRequest === null ? firstRequest : `${firstRequest}, then ${detailRequest} for each`,
      ]),
    ),
  )
  say(
    answer.atLeastMs === null || requests === null
      ? `How many requests it takes is ${options.since === undefined ? 'known after a first run' : 'not known: it depends on what has changed'}; at most ${maxPerSecond.toFixed(2)}/s go to ${domain}.`
      : `${requests} requests to ${domain}, as many as the last time, take at least ${durationText(answer.atLeastMs)}.`,
  )
  say('Nothing was sent or written.')
}
