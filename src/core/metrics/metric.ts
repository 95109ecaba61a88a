/** What a worker tells a metrics server: the one description that code, the page of metrics and its tests share. */
export interface Metric {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly unit: 'count' | 'ms' | 's' | 'bytes' | 'per second' | 'yes or no'
  /** Label and its values; the values are words of short lists, never an address. */
  readonly labels: Readonly<Record<string, string>>
  readonly text: string
  /** `own`: of this process, add them up. `shared`: of all, which every worker tells alike: take the highest. */
  readonly scope: 'own' | 'shared'
  /** Upper ends of the steps of a histogram. */
  readonly steps?: readonly number[]
}
