import type { BatchReading } from './batch-protocol.ts'

interface NamedType {
  readonly id: string
  readonly name: string | null
}

/** Gives types that came as a bare id the name that the manifest has for them. */
export function nameTypes(reading: BatchReading, known: readonly NamedType[]): BatchReading {
  const names = new Map(known.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
  if (names.size === 0) return reading
  const answers = reading.answers.map((answer) => {
    if (answer === null) return null
    const candidates = answer.list.candidates.map((candidate) => ({
      ...candidate,
      types: candidate.types.map(({ id, name = names.get(id) }) => {
        return name === undefined ? { id } : { id, name }
      }),
    }))
    return { ...answer, list: { ...answer.list, candidates } }
  })
  return { ...reading, answers }
}
