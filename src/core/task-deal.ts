/**
 * Deals records into tasks as they come, each task with so many questions. Records that ask the same question must
 * come one after the other; they get the same task.
 * @param first number of the first task
 * @param sizeOf questions of each task, at least 1; the first task is 0
 * @returns the task of the next record, given what it asks
 */
export function taskDealer(
  first: number,
  sizeOf: (nth: number) => number,
): (question: number) => number {
  let task = first - 1
  let left = 0
  let last: number | undefined
  return (question) => {
    if (question === last) return task
    last = question
    if (left === 0) {
      task += 1
      left = sizeOf(task - first)
    }
    left -= 1
    return task
  }
}
