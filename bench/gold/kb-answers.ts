/**
 * Answers of the knowledge base, through its HTTP application without a socket: the query as the client writes it, the
 * answer as the client reads it. Kept in a temporary folder under a hash of the code and the data that made them, so
 * that a change of the scoring alone asks nothing again.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { CandidateList } from '../../src/core/matching/candidate.ts'
import type { LookupQuery } from '../../src/core/matching/lookup-query.ts'
import { lookupKey } from '../../src/core/matching/lookups.ts'
import { encodeQuery } from '../../src/http/reconciliation/encode-query.ts'
import { readCandidates } from '../../src/http/reconciliation/read-candidates.ts'
import { createKbApp } from '../../src/kb/kb-app.ts'
import { createKbIndex } from '../../src/kb/kb-index.ts'
import { readKbFile } from '../../src/kb/read-kb-file.ts'

const answerSchema = z.object({ q0: z.object({ result: z.array(z.unknown()) }) })

export interface KbAnswers {
  ask(query: LookupQuery): Promise<CandidateList>
  /** Writes what is new to the temporary folder. */
  keep(): Promise<void>
}

const root = new URL('../../', import.meta.url)
const ANSWERING_CODE = ['src/kb/', 'src/core/names/', 'src/http/reconciliation/'] as const

/** Answers from one knowledge-base file; it is read only when something was not asked before. */
export async function openKbAnswers(file: string, set: string): Promise<KbAnswers> {
  const folder = join(tmpdir(), 'record-linker-bench-gold')
  const path = join(folder, `${set}-${await answerVersion(file)}.json`)
  const known = new Map<string, CandidateList>(await readKept(path))
  let app: ReturnType<typeof createKbApp> | undefined
  let isNew = false
  return {
    ask: async (query) => {
      const key = lookupKey(query)
      const kept = known.get(key)
      if (kept !== undefined) return kept
      app ??= createKbApp(createKbIndex((await readKbFile(file, rejectBadLine)).items), {
        name: set,
      })
      const body = new URLSearchParams({ queries: JSON.stringify({ q0: encodeQuery(query) }) })
      const response = await app.request('/', { method: 'POST', body })
      const answer = answerSchema.parse(await response.json())
      const list = readCandidates(answer.q0.result, query.limit)
      if (!response.ok || list === undefined) throw new Error(`No answer to ${key}`)
      known.set(key, list)
      isNew = true
      return list
    },
    keep: async () => {
      if (!isNew) return
      await mkdir(folder, { recursive: true })
      await writeFile(path, JSON.stringify([...known]))
    },
  }
}

function rejectBadLine(line: number, reason: string): never {
  throw new Error(`Line ${line} of the knowledge base: ${reason}`)
}

async function readKept(path: string): Promise<[string, CandidateList][]> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return []
  }
}

async function answerVersion(file: string): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ANSWERING_CODE) {
    for (const name of (await readdir(new URL(folder, root))).toSorted()) {
      hash.update(await readFile(new URL(folder + name, root)))
    }
  }
  const { size, mtimeMs } = await stat(file)
  return hash.update(`${file} ${size} ${mtimeMs}`).digest('hex').slice(0, 16)
}
