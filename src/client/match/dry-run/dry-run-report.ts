/** Everything that `start-match --dry-run` says, as one object. */
import { estimatedMs } from '../../../core/run-estimate.ts'
import type { RunOptions } from '../../../core/run.ts'
import { LOOKUPS_TOGETHER, WIKIDATA_SERVICE } from '../../../core/wikidata/wikidata-service.ts'
import type { Db } from '../../../db/connect.ts'
import { datasetById } from '../../../db/datasets.repo.ts'
import { countDue, type DueCounts, type DueQuestion } from '../../../db/due-subjects.ts'
import type { Project } from '../../../db/projects.repo.ts'
import { readOnly } from '../../../db/read-only.ts'
import { latestRun } from '../../../db/runs.repo.ts'
import { lastServiceAbout } from '../../../db/service-versions.repo.ts'
import { recomputeHashes } from '../../../db/subject-refresh.ts'
import type { ServiceAbout } from '../../../db/tables/service-version.table.ts'
import { defaultBatchSize } from '../../../http/reconciliation/reconciliation-client.ts'
import type { Identity } from '../../../http/user-agent.ts'
import type { LimitsFile } from '../../limits/limits-file.ts'
import { domainRate, type DomainRate } from './domain-rate.ts'
import { firstRequest, type ShownRequest, urlWithoutSecrets } from './first-request.ts'
import { firstWikidataRequest } from './first-wikidata-request.ts'
import { type PlannedQuestions, planQuestions } from './plan-questions.ts'
import {
  batchedRequests,
  type PlannedRequests,
  type Span,
  wikidataRequests,
} from './planned-requests.ts'
import { type KeptColumn, keptColumns, type SentColumns } from './sent-columns.ts'

export interface DryRunReport {
  readonly project: number
  readonly dryRun: true
  /** Number of the run that is going on; null: none is. */
  readonly openRun: number | null
  /** The only records it would look at, by how they stand; null: all. */
  readonly only: RunOptions['only']
  readonly due: DueCounts
  readonly questions: Omit<PlannedQuestions, 'first' | 'sent'>
  readonly requests: PlannedRequests
  /** Questions in one request; assumed until the service has said how many it takes. */
  readonly batchSize: { readonly questions: number; readonly isAssumed: boolean }
  /** Null where it cannot be said: the domain is paused, or the address of the service is not known here. */
  readonly durationMs: Span | null
  /** Null where the address of the service is not known here. */
  readonly rate: DomainRate | null
  readonly services: readonly DryRunService[]
}

/** What one service would get to see. */
export interface DryRunService {
  readonly service: string
  /** Null: only its worker knows where it is. */
  readonly url: string | null
  readonly host: string | null
  /** What it said of itself when it was asked last; null: it never was. */
  readonly about: ServiceAbout | null
  readonly sent: readonly SentColumns[]
  readonly kept: readonly KeptColumn[]
  /** The first one with questions; null when nobody is asked, or where is not known. */
  readonly firstRequest: ShownRequest | null
}

export interface DryRunRequest {
  readonly project: Project
  readonly options: RunOptions
  /** Null or absent: no answer is too old. */
  readonly refreshBefore: Date | null
  /** Of the service; undefined: not known here. */
  readonly url: string | undefined
  /** OAuth 2 access token for Wikidata; it is only said whether it would be sent. */
  readonly wikidataToken?: string | undefined
  readonly limitsFile: LimitsFile
  readonly identity: Identity
}

/** Looks at what a start would do, in one transaction in which Postgres refuses every write; nothing is sent. */
export async function dryRunReport(db: Db, request: DryRunRequest): Promise<DryRunReport> {
  const { project, options, refreshBefore, url, identity } = request
  const { service } = project.settings
  return readOnly(db, async (tx) => {
    const run = await latestRun(tx, project.id)
    const openRun = run?.status === 'open' ? run : null
    const question: DueQuestion = {
      projectId: project.id,
      revision: project.revision,
      runId: openRun?.id ?? null,
      options,
      refreshBefore,
      recomputed: await recomputeHashes(tx, project),
    }
    const about = (await lastServiceAbout(tx, service)) ?? null
    const isWikidata = service === WIKIDATA_SERVICE
    const batchSize = isWikidata ? LOOKUPS_TOGETHER : (about?.batchSize ?? defaultBatchSize)
    const plan = { settings: project.settings, question, options, batchSize }
    const { first, sent, ...questions } = await planQuestions(tx, plan)
    const requests = isWikidata
      ? wikidataRequests(questions, project.settings.limit)
      : batchedRequests(questions, batchSize)
    const rate = url === undefined ? null : await domainRate(tx, request.limitsFile, url)
    const dataset = await datasetById(tx, project.datasetId)
    return {
      project: project.id,
      dryRun: true,
      openRun: openRun?.number ?? null,
      only: options.only,
      due: await countDue(tx, question),
      questions,
      requests,
      batchSize: isWikidata
        ? { questions: 1, isAssumed: false }
        : { questions: batchSize, isAssumed: about === null },
      durationMs: durationSpan(requests, rate),
      rate,
      services: [
        {
          service: URL.canParse(service) ? urlWithoutSecrets(service) : service,
          url: url === undefined ? null : urlWithoutSecrets(url),
          host: url === undefined ? null : new URL(url).host,
          about,
          sent,
          kept: keptColumns(project.settings, dataset?.columns ?? []),
          firstRequest:
            url === undefined || first.length === 0
              ? null
              : isWikidata
                ? firstWikidataRequest(request, url, first)
                : firstRequest(url, about?.versions ?? [], first, identity),
        },
      ],
    }
  })
}

function durationSpan({ least, most }: Span, rate: DomainRate | null): Span | null {
  if (rate === null || rate.pausedBecause !== null) return null
  return { least: estimatedMs(least, rate.pace), most: estimatedMs(most, rate.pace) }
}
