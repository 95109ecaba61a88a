/**
 * Signals, updates and queries with their payloads; imported by workflows, client and limiter broker.
 * Limiter messages follow research/limiter.md §3.3: grants never wait, leases are durations, never instants.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { DownloadProgress } from '../core/download/download-queue.ts'
import type {
  AcquireReply,
  AcquireRequest,
  DomainSnapshot,
  PauseDomainRequest,
  RefusedNotice,
  ReleaseReply,
  ReleaseRequest,
  SetPolicyRequest,
} from '../core/limiter/protocol.ts'
import type {
  PauseRequest,
  ResumeNotice,
  RunProgressCounts,
  ShardRest,
  WindowRequest,
} from '../core/run-progress.ts'

export const pauseSignal = defineSignal<[PauseRequest]>('pause')
export const resumeSignal = defineSignal<[ResumeNotice?]>('resume')
export const setWindowSignal = defineSignal<[WindowRequest]>('setWindow')
/** From a shard to its project. */
export const shardRestSignal = defineSignal<[ShardRest]>('shardRest')
export const progressQuery = defineQuery<RunProgressCounts>('progress')

/** To the dispatcher of a queue: there is more to fetch. */
export const jobsAddedSignal = defineSignal('jobsAdded')
/** To it: end when nothing is left. */
export const drainSignal = defineSignal('drain')
export const downloadProgressQuery = defineQuery<DownloadProgress>('progress')

export const acquireUpdate = defineUpdate<AcquireReply, [AcquireRequest]>('acquire')
export const releaseUpdate = defineUpdate<ReleaseReply | undefined, [ReleaseRequest]>('release')
export const refusedSignal = defineSignal<[RefusedNotice]>('refused')
export const snapshotQuery = defineQuery<DomainSnapshot>('snapshot')
export const pauseDomainSignal = defineSignal<[PauseDomainRequest]>('pauseDomain')
export const resumeDomainSignal = defineSignal('resumeDomain')
export const setPolicySignal = defineSignal<[SetPolicyRequest]>('setPolicy')
export const resetDomainSignal = defineSignal('resetDomain')
