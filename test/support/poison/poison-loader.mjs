/** A module loader that puts `poisoned-judge.ts` in the place of `judge-subject.ts`, for all but itself. */
const poisoned = new URL('./poisoned-judge.ts', import.meta.url).href

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  const isJudge = found.url.split('?')[0]?.endsWith('/src/core/matching/judge-subject.ts') === true
  if (!isJudge || context.parentURL?.startsWith(poisoned)) return found
  return { ...found, url: poisoned, shortCircuit: true }
}
