import type { ArtifactPlan } from '../../core/download/artifact-plan.ts'
import type { TransferLimits } from '../../core/download/transfer-limits.ts'
import type { Clocks } from '../exchange.ts'
import type { FetchArtifactCall, FetchArtifactOptions } from './artifact-fetcher.ts'
import type { PartKeeper } from './part-keeper.ts'
import type { TransferWatch } from './transfer-watch.ts'

/** What the parts of one attempt share. */
export interface TransferContext {
  readonly options: FetchArtifactOptions
  /** The User-Agent. */
  readonly agentName: string
  readonly limits: TransferLimits
  readonly clocks: Clocks
  readonly plan: ArtifactPlan
  readonly call: FetchArtifactCall
  readonly watch: TransferWatch
  /** Of the file that is being fetched; absent before. */
  readonly keeper?: PartKeeper
  /** What the attempt cost so far; counted up. */
  readonly tally: TransferTally
}

export interface TransferTally {
  wireBytes: number
  resumes: number
  restarts: number
}
