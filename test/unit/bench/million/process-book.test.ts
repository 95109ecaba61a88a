import { expect, test } from 'vitest'
import { ProcessGroup, secondsOf } from '../../../../bench/million/process-book.ts'

test.each([
  ['00:00:07', 7],
  ['01:02:03', 3_723],
  ['2-00:00:01', 172_801],
  ['3:04.25', 184.25],
])('%s of CPU time are %d s', (time, seconds) => {
  expect(secondsOf(time)).toBe(seconds)
})

test('a group has all its processes, and keeps the CPU time of those that ended', () => {
  const group = new ProcessGroup()
  group.add(1)
  const parent = { pid: 1, parentPid: 0, rssMb: 10, cpuS: 2 }
  const child = { pid: 2, parentPid: 1, rssMb: 5, cpuS: 3 }
  const grandchild = { pid: 3, parentPid: 2, rssMb: 1, cpuS: 1 }
  const stranger = { pid: 4, parentPid: 0, rssMb: 99, cpuS: 99 }
  expect(group.look([grandchild, stranger, child, parent])).toEqual({ rssMb: 16, cpuS: 6 })
  expect(group.look([stranger, { ...parent, cpuS: 4 }])).toEqual({ rssMb: 10, cpuS: 8 })
})
