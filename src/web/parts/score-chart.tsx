import type { DecisionThresholds } from '../../core/project-settings.ts'
import type { ScoreBar } from '../../db/score-histogram.repo.ts'
import { plural } from './words.ts'

const HEIGHT = 120
const BAR = 2

/**
 * How many records have a best candidate of which score, with the lines that decide. The script lets a range be dragged
 * on it; the fields beside it say the same without.
 */
export function ScoreChart({
  bars,
  thresholds,
  from,
  to,
  use = 'choose',
}: {
  bars: readonly ScoreBar[]
  thresholds: DecisionThresholds
  from: number | null
  to: number | null
  /** choose: a range can be dragged on it, which fills a form of filters */
  use?: 'choose' | 'show'
}) {
  const most = Math.max(1, ...bars.map((bar) => bar.matched + bar.review + bar.noCandidate))
  const height = (count: number) => (count / most) * HEIGHT
  const isChosen = from !== null || to !== null
  const total = bars.reduce((sum, bar) => sum + bar.matched + bar.review + bar.noCandidate, 0)
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Best scores of ${plural(total, 'record')}; matched from ${thresholds.match}, reviewed from ${thresholds.review}`}
        data-chart={use === 'choose' ? 'score' : 'thresholds'}
      >
        <rect
          class="chosen"
          x={from ?? 0}
          y="0"
          width={isChosen ? Math.max(0.5, (to ?? 100) - (from ?? 0)) : 0}
          height={HEIGHT}
        />
        <g data-fresh>
          {bars.map((bar) => {
            const parts = [
              ['none', bar.noCandidate],
              ['review', bar.review],
              ['matched', bar.matched],
            ] as const
            let y = HEIGHT
            return (
              <g>
                <title>{`Score ${bar.from} to ${bar.from + BAR}: ${bar.matched} matched, ${bar.review} for review, ${bar.noCandidate} without candidate`}</title>
                {parts.map(([name, count]) => {
                  if (count === 0) return null
                  y -= height(count)
                  return (
                    <rect
                      class={`fill-${name}`}
                      x={bar.from + 0.1}
                      y={y}
                      width={BAR - 0.2}
                      height={height(count)}
                    />
                  )
                })}
              </g>
            )
          })}
        </g>
        <line
          class="limit"
          data-line="match"
          x1={thresholds.match}
          x2={thresholds.match}
          y1="0"
          y2={HEIGHT}
        />
        <line
          class="limit"
          data-line="review"
          x1={thresholds.review}
          x2={thresholds.review}
          y1="0"
          y2={HEIGHT}
        />
      </svg>
      <figcaption class="small">
        {use === 'show'
          ? 'Score of the best candidate, 0 to 100. Lines: where review and match begin.'
          : `Score of the best candidate, 0 to 100. Lines: review from ${thresholds.review}, match from ${thresholds.match} with a lead of ${thresholds.lead}.`}
      </figcaption>
    </figure>
  )
}
