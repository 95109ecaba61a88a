import type { ThresholdPoint } from '../../core/evaluation/threshold-curve.ts'

const WIDTH = 640
const HEIGHT = 400
const LEFT = 50
const TOP = 20
const RIGHT = 130
const BOTTOM = 40
const LOWEST = 50
const HIGHEST = 100
const TICKS = [0, 0.25, 0.5, 0.75, 1]

const LINES = [
  { name: 'precision', colour: '#1b6ca8' },
  { name: 'recall', colour: '#c8553d' },
  { name: 'f1', colour: '#588157' },
  { name: 'falseOnAbsent', colour: '#7d5ba6' },
] as const

const TITLES = {
  precision: 'precision',
  recall: 'recall',
  f1: 'F1',
  falseOnAbsent: 'false on absent',
} as const

/** The curve of thresholds as a picture of its own, without any script. */
export function curveSvg(points: readonly ThresholdPoint[], title: string): string {
  const lines = LINES.map(({ name, colour }, at) => {
    const path = points
      .flatMap((point) => {
        const value = point[name]
        return value === null ? [] : [`${x(point.threshold)},${y(value)}`]
      })
      .join(' ')
    const legend = TOP + 12 + at * 18
    return (
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${WIDTH - RIGHT + 10}" y="${legend}" fill="${colour}">${TITLES[name]}</text>`
    )
  })
  const grid = TICKS.map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>` +
      `<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  )
  const scores = [50, 60, 70, 80, 90, 100].map(
    (score) => `<text x="${x(score)}" y="${HEIGHT - 18}" text-anchor="middle">${score}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...grid,
    ...scores,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 3}" text-anchor="middle">least score of an automatic match</text>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}

function x(score: number): number {
  const share = (score - LOWEST) / (HIGHEST - LOWEST)
  return Math.round((LEFT + share * (WIDTH - LEFT - RIGHT)) * 10) / 10
}

function y(value: number): number {
  return Math.round((TOP + (1 - value) * (HEIGHT - TOP - BOTTOM)) * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
