import anyAscii from 'any-ascii'
import { memo } from '../memo.ts'

// In these scripts a mark changes the sound of a letter and is often left out; in others it makes another letter.
const MARKED_LETTER = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
const LATIN_BEYOND_ASCII = /[^\p{ASCII}\P{Script=Latin}]/gu
const MARK = /\p{M}/u
const BEYOND_ASCII = /[^\x20-\x7e]/gu
const REMEMBERED = 5_000
const CYRILLIC_WITH_STROKE = /[ґғҕқҝҡңҥүұөҳҷҹһ]/g

const CYRILLIC_PLAIN: Readonly<Record<string, string>> = {
  ґ: 'г',
  ғ: 'г',
  ҕ: 'г',
  қ: 'к',
  ҝ: 'к',
  ҡ: 'к',
  ң: 'н',
  ҥ: 'н',
  ү: 'у',
  ұ: 'у',
  ө: 'о',
  ҳ: 'х',
  һ: 'х',
  ҷ: 'ч',
  ҹ: 'ч',
}

/**
 * Takes the marks off Latin, Greek and Cyrillic letters (`é` → `e`) and spells out Latin letters that Unicode does
 * not decompose (`ø` → `o`, `æ` → `ae`). Other scripts stay as they are: `が` is not `か`.
 * In: lower-case text; out: NFC.
 */
export function foldLetters(text: string): string {
  // Without marks of its own no letter changes another, and each is worked out once.
  return MARK.test(text) ? foldText(text) : text.replace(BEYOND_ASCII, foldLetter)
}

const foldLetter = memo(foldText, REMEMBERED)

function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKED_LETTER, '$1')
    .replace(LATIN_BEYOND_ASCII, (letter) => anyAscii(letter).toLowerCase().replaceAll('`', "'"))
    .replace(CYRILLIC_WITH_STROKE, (letter) => CYRILLIC_PLAIN[letter] ?? letter)
    .normalize('NFC')
}
