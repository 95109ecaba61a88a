/** What a run might have concluded of made records: of a hundred 70 matched, 18 for review, 12 without a candidate. */
import type {
  Decision,
  FeatureEvidence,
  Outcome,
  ScoredCandidate,
} from '../../src/core/matching/decision.ts'
import { seededRandom } from '../limiter/seeded-random.ts'

const FEATURES = ['name', 'kind', 'P17', 'P131', 'P856', 'category']
const KEPT = 3

/** @param record counted from 0; the same number, the same decision */
export function madeDecision(record: number, name: string): Decision {
  const random = seededRandom(record + 1)
  const outcome = outcomeOf(record)
  const asked = [name]
  if (outcome === 'no_candidate') {
    const evidence = { asked, candidates: [], candidatesTotal: 0, truncated: false }
    const reason = 'The service found nothing like it.'
    return {
      outcome,
      rule: 'no-candidate',
      reason,
      best: null,
      runnerUp: null,
      margin: null,
      evidence,
    }
  }
  const best = outcome === 'matched' ? 85 + random() * 15 : 35 + random() * 50
  const total = 1 + Math.floor(random() * 8)
  const candidates = Array.from({ length: Math.min(KEPT, total) }, (_, place) =>
    candidate(record, name, place, best * (1 - place * (0.05 + random() * 0.3)), random),
  )
  const [first = null, second = null] = candidates
  return {
    outcome,
    rule:
      outcome === 'matched' ? 'score-and-lead' : random() < 0.2 ? 'name-differs' : 'score-below',
    reason:
      outcome === 'matched'
        ? `${first?.id} scores ${best.toFixed(0)}, far ahead of the others.`
        : `${first?.id} scores ${best.toFixed(0)}; the line is at 85.`,
    best: first,
    runnerUp: second,
    margin: best - (second?.score ?? 0),
    evidence: { asked, candidates, candidatesTotal: total, truncated: false },
  }
}

function outcomeOf(record: number): Outcome {
  const place = (record * 37) % 100
  return place < 70 ? 'matched' : place < 88 ? 'review' : 'no_candidate'
}

function candidate(
  record: number,
  name: string,
  place: number,
  score: number,
  random: () => number,
): ScoredCandidate {
  return {
    id: `Q${(record + 1) * 10 + place}`,
    label: place === 0 ? name : `${name} ${place + 1}`,
    description: 'chain of shops, founded in the nineteenth century',
    score,
    veto: random() < 0.05 ? 'P17 differs' : null,
    features: FEATURES.map((feature) => featureOf(feature, name, random)),
  }
}

function featureOf(feature: string, name: string, random: () => number): FeatureEvidence {
  const place = random()
  const verdict =
    place < 0.5 ? 'agree' : place < 0.65 ? 'partly' : place < 0.8 ? 'disagree' : 'unknown'
  const weight = verdict === 'unknown' ? 0 : verdict === 'disagree' ? -2.5 : 1 + random() * 6
  return {
    feature,
    verdict,
    weight,
    record: feature === 'name' ? name : `value ${Math.floor(random() * 1e6)}`,
    candidate: verdict === 'unknown' ? '' : `value ${Math.floor(random() * 1e6)}`,
    how: verdict === 'agree' ? 'form B' : '',
  }
}
