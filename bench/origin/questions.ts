/** What was asked, and whether it was asked again. Pure. */
import type { Arrival } from './loopback-origin.ts'

/** `path` and text of each question in a request. */
export function questionsOf({ request }: Arrival): readonly string[] {
  const [path = ''] = request.path.split('?')
  return Object.values(request.queries ?? {}).map(({ query = '' }) => `${path} ${query}`)
}

/**
 * Questions that came again after their answer had left.
 * @param isLost Whether that answer may have gone with the process that asked.
 */
export function askedAgain(
  arrivals: readonly Arrival[],
  isLost: (arrival: Arrival) => boolean = () => false,
): readonly string[] {
  const answered = new Set<string>()
  const again: string[] = []
  for (const arrival of arrivals) {
    const questions = questionsOf(arrival)
    again.push(...questions.filter((question) => answered.has(question)))
    if (arrival.status !== 200 || !arrival.request.answered || isLost(arrival)) continue
    for (const question of questions) answered.add(question)
  }
  return again
}
