import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureCompiled } from '../../scripts/set-up/compiled.mjs'
import type { JudgingCode } from './scoring.ts'

/** The judging code as it runs for users. What runs a benchmark compiles while it loads, and makes closures dear. */
export async function compiledCode(): Promise<JudgingCode> {
  const folder = await ensureCompiled()
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href)
  const [judge, alike, names, similarity] = await Promise.all([
    load('core/matching/judge-subject.js'),
    load('core/matching/judge-alike.js'),
    load('core/names/normalize-name.js'),
    load('core/names/similarity.js'),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compiled from the files whose types these are
  return {
    ...(judge as object),
    ...(alike as object),
    ...(names as object),
    similarity,
  } as JudgingCode
}
