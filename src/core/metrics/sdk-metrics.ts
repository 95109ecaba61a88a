/** Of the many measures of Temporal's SDK those that our dashboards and alerts use; they are at the same address. */
import type { Metric } from './metric.ts'

const queue = { task_queue: 'record-linker, limiter', namespace: 'of Temporal' }
const own = (metric: Omit<Metric, 'scope'>): Metric => ({ ...metric, scope: 'own' })

export const sdkMetrics = [
  own({
    name: 'temporal_num_pollers',
    kind: 'gauge',
    unit: 'count',
    labels: { ...queue, poller_type: 'workflow_task, sticky_workflow_task, activity_task, …' },
    text: 'Open requests for work: none, and the worker takes up nothing',
  }),
  own({
    name: 'temporal_worker_task_slots_available',
    kind: 'gauge',
    unit: 'count',
    labels: { ...queue, worker_type: 'WorkflowWorker, ActivityWorker, LocalActivityWorker, …' },
    text: 'Work of this kind that the worker could begin now',
  }),
  own({
    name: 'temporal_worker_task_slots_used',
    kind: 'gauge',
    unit: 'count',
    labels: { ...queue, worker_type: 'as above' },
    text: 'Work of this kind under way',
  }),
  own({
    name: 'temporal_activity_schedule_to_start_latency',
    kind: 'histogram',
    unit: 'ms',
    labels: queue,
    text: 'How long activities wait for a worker: long, and workers are missing',
  }),
  own({
    name: 'temporal_workflow_task_execution_latency',
    kind: 'histogram',
    unit: 'ms',
    labels: { ...queue, workflow_type: 'name' },
    text: 'How long a step of a workflow takes',
  }),
  own({
    name: 'temporal_request_failure',
    kind: 'counter',
    unit: 'count',
    labels: { ...queue, operation: 'name', status_code: 'of gRPC' },
    text: 'Calls of the Temporal server that failed',
  }),
] as const satisfies readonly Metric[]
