import { seededChoices } from './seeded-choices.ts'

/** What a request meets in place of its answer, or, cut short, of half of it. */
type SourceFault = 'error_500' | 'bad_gateway' | 'unavailable' | 'cut_short'

const faults: readonly SourceFault[] = ['error_500', 'bad_gateway', 'unavailable', 'cut_short']

/** Decides for each request, in the order of arrival, whether it fails and how. @param percent of the requests */
export function sourceFaults(seed: number, percent: number): () => SourceFault | null {
  const choices = seededChoices(seed, 'faults')
  return () => (choices.fraction() * 100 < percent ? choices.pick(faults) : null)
}

/** The answer of a request that fails. @param whole what it would have been answered with */
export async function faultAnswer(
  fault: SourceFault,
  whole: () => Promise<Response>,
): Promise<Response> {
  switch (fault) {
    case 'bad_gateway':
      return new Response('<html><body>502 Bad Gateway</body></html>', {
        status: 502,
        headers: { 'content-type': 'text/html' },
      })
    case 'unavailable':
      return Response.json(
        { message: 'Temporarily unavailable' },
        { status: 503, headers: { 'retry-after': '1' } },
      )
    case 'cut_short': {
      const answer = await whole()
      const text = await answer.text()
      return new Response(text.slice(0, Math.floor(text.length / 2)), answer)
    }
    case 'error_500':
    default:
      return Response.json({ message: 'An error has occurred.' }, { status: 500 })
  }
}
