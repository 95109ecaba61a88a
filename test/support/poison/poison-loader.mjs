/** A module loader that puts `poisoned-judge.mjs` in the place of `judge-subject`, compiled or not, for all but itself. */
const poisoned = new URL('./poisoned-judge.mjs', import.meta.url).href

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  const isJudge = /\/core\/matching\/judge-subject\.[jt]s$/.test(found.url.split('?')[0] ?? '')
  if (!isJudge || context.parentURL?.startsWith(poisoned)) return found
  return { ...found, url: `${poisoned}?${encodeURIComponent(found.url)}`, shortCircuit: true }
}
