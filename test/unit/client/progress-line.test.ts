import { expect, it } from 'vitest'
import { createProgressLine } from '../../../src/client/progress-line.ts'

function plain() {
  const lines: string[] = []
  const stream = { isTTY: false, write: (text: string) => lines.push(text) }
  let nowMs = 0
  const line = createProgressLine(stream as unknown as NodeJS.WriteStream, () => nowMs)
  return { lines, line, wait: (ms: number) => (nowMs += ms) }
}

it('in a pipe the first line comes at once, the next after 10 s', () => {
  const { lines, line, wait } = plain()
  line.show('1/9')
  line.show('2/9')
  wait(10_000)
  line.show('3/9')
  expect(lines).toEqual(['1/9\n', '3/9\n'])
})

it('in a pipe the same line does not come twice in a row', () => {
  const { lines, line, wait } = plain()
  for (let times = 0; times < 3; times += 1) {
    line.show('PAUSED: by user')
    wait(10_000)
  }
  line.show('3/9')
  expect(lines).toEqual(['PAUSED: by user\n', '3/9\n'])
})
