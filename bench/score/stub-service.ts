/** A service that knows every made record, answers at once and has no limit: what is slow is not it. */
import type { Candidate } from '../../src/core/matching/candidate.ts'
import {
  answerEach,
  type FakeService,
  manifestAnswer,
  startFakeService,
} from '../../test/support/fake-reconciliation-service.ts'
import { madeCandidates, madeCells, type MadeKind } from './made-records.ts'

const BATCH_SIZE = 100

export interface StubService extends FakeService {
  /** Names asked for, each as often as it was. */
  questions(): number
}

/** @param delayMs of each answer to a batch */
export async function startStubService(
  kind: MadeKind,
  subjects: number,
  { batchSize = BATCH_SIZE, delayMs = 0 }: { batchSize?: number; delayMs?: number } = {},
): Promise<StubService> {
  const subjectOf = new Map<string, number>()
  for (let subject = 0; subject < subjects; subject++) {
    subjectOf.set(madeCells(kind, subject)['name'] ?? '', subject)
  }
  let questions = 0
  const service = await startFakeService((request) => {
    if (request.queries === null) return manifestAnswer(request, { batchSize })
    const answer = answerEach(request, ({ query = '' }) => {
      questions++
      return madeCandidates(kind, subjectOf.get(query) ?? 0).candidates.map(asSent)
    })
    return { ...answer, delayMs }
  })
  return { ...service, questions: () => questions }
}

function asSent(candidate: Candidate): object {
  const { id, name, names, description, types, serviceScore, properties } = candidate
  const aliases = names.slice(1)
  return { id, name, aliases, description, type: types, score: serviceScore, properties }
}
