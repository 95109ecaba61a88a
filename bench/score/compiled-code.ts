import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureCompiled } from '../../scripts/set-up/compiled.mjs'
import type { JudgingCode } from './scoring.ts'

/** The judging code as it runs for users. What runs a benchmark compiles while it loads, and makes closures dear. */
export async function compiledCode(): Promise<JudgingCode> {
  const folder = await ensureCompiled()
  const load = <T>(file: string): Promise<T> => import(pathToFileURL(join(folder, file)).href)
  return {
    ...(await load<Pick<JudgingCode, 'judgeSubject'>>('core/matching/judge-subject.js')),
    ...(await load<Pick<JudgingCode, 'groupAlike'>>('core/matching/judge-alike.js')),
    ...(await load<Pick<JudgingCode, 'nameForms'>>('core/names/normalize-name.js')),
    similarity: await load<JudgingCode['similarity']>('core/names/similarity.js'),
  }
}
