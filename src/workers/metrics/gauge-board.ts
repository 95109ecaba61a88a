import type { MetricGauge, MetricMeter } from '@temporalio/common'
import type { Metric } from '../../core/metrics/metric.ts'

export interface Reading {
  readonly metric: Metric
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

export interface GaugeBoard {
  /** @param look Who read it; what it told before and tells no more is 0 from now on. */
  tell(look: string, readings: readonly Reading[]): void
}

/** Sets gauges of a metrics server, which would show a value that nobody tells any more for ever. */
export function createGaugeBoard(meter: Pick<MetricMeter, 'createGauge'>): GaugeBoard {
  const gauges = new Map<string, MetricGauge>()
  const told = new Map<string, readonly Reading[]>()
  const set = ({ metric, value, labels }: Reading): void => {
    let gauge = gauges.get(metric.name)
    if (gauge === undefined) {
      gauge = meter.createGauge(metric.name, 'float', undefined, metric.text)
      gauges.set(metric.name, gauge)
    }
    gauge.set(value, labels)
  }
  return {
    tell(look, readings) {
      const now = new Set(readings.map(seriesOf))
      const gone = (told.get(look) ?? []).filter((one) => !now.has(seriesOf(one)))
      for (const reading of [...readings, ...gone.map((one) => ({ ...one, value: 0 }))])
        set(reading)
      told.set(look, readings)
    },
  }
}

function seriesOf({ metric, labels = {} }: Reading): string {
  return JSON.stringify([metric.name, ...Object.entries(labels).toSorted()])
}
