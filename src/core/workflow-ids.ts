/** Every workflow id is built here: readable in the Temporal UI, and the same for the same work. */

/** At most one match of a project runs at a time, because they share this id. */
export function matchProjectId(projectId: number): string {
  return `match-project/${projectId}`
}

export function matchShardId(projectId: number, run: number, shard: number): string {
  return `match-project/${projectId}/run-${run}/shard-${shard}`
}

export function matchTaskId(projectId: number, run: number, task: number): string {
  return `match-project/${projectId}/run-${run}/task-${task}`
}

/** A project has one schedule at most. */
export function scheduleId(projectId: number): string {
  return `schedule/match-project/${projectId}`
}

/** What a schedule starts; the server adds the time. */
export function scheduledMatchId(projectId: number): string {
  return `scheduled-match/${projectId}`
}

/** What is done after a run, once. */
export function endOfRunId(projectId: number, run: number): string {
  return `match-project/${projectId}/run-${run}/end`
}

/** At most one extension of a project runs at a time. */
export function extendProjectId(projectId: number): string {
  return `extend/${projectId}`
}

/** At most one recheck of a project runs at a time. */
export function recheckProjectId(projectId: number): string {
  return `recheck/${projectId}`
}

/** An extraction keeps its id when it is resumed. */
export function extractId(runId: number): string {
  return `extract/${runId}`
}

export function extractTypeId(runId: number, type: string): string {
  return `extract/${runId}/${type}`
}

/** At most one dispatcher works on a queue, because they share this id. */
export function downloadQueueId(queue: string): string {
  return `download-queue/${queue}`
}

export function limiterId(domain: string): string {
  return `limiter/${domain}`
}

/** Where match, extract and download work is done. */
export const WORK_TASK_QUEUE = 'record-linker'

/** Limiters have a queue and a Worker of their own, so that a busy match never delays a permit. */
export const LIMITER_TASK_QUEUE = 'limiter'
