import { memo } from '../memo.ts'

// Different spellings of about the same sound, in the order they are replaced.
const SAME_SOUND: readonly (readonly [RegExp, string])[] = [
  [/sch|sh|ch|cz|tch|zh|dj|dzh/g, 's'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/kh|gh|ck|qu|c|q/g, 'k'],
  [/x/g, 'ks'],
  [/w/g, 'v'],
  [/z/g, 's'],
  [/[yj]/g, 'i'],
  [/(?<=.)h/g, ''],
  [/ou/g, 'u'],
  [/(.)\1+/g, '$1'],
]
const FINAL_VOWELS = /[aeiou]+$/
const SHORTEST = 3
const REMEMBERED = 20_000

/**
 * A rough spelling of how a word in Latin letters sounds, the same for common transcriptions: `Nizhniy` and `Nizhny`,
 * `Malaisie` and `Malaysia`, `Bakhuysen` and `Bakhuizen`. In: a word of form C; out: '' where too little would be left.
 */
export const soundSkeleton = memo(skeletonOf, REMEMBERED)

function skeletonOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return ''
  let skeleton = word
  for (const [pattern, sound] of SAME_SOUND) skeleton = skeleton.replace(pattern, sound)
  skeleton = skeleton.replace(FINAL_VOWELS, '')
  return skeleton.length < SHORTEST ? '' : skeleton
}
