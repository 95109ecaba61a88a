/** A name without its legal form; `legalForm` keeps what was taken off, '' when nothing was. */
export interface NameWithoutLegalForm {
  readonly tokens: readonly string[]
  readonly legalForm: string
}

// As tokens of form C: `S.A.` has become `sa`, `Sp. z o.o.` is `sp z oo`, `OÜ` is `ou`.
const TRAILING = new Set(
  [
    // English
    'inc, incorporated, corp, corporation, co, company, ltd, limited, llc, llp, lllp, lp, plc, pbc, pllc, cic',
    'public limited company, limited liability company, private limited, pvt ltd, proprietary limited, pty, pte, sdn bhd, bhd',
    // German
    'gmbh, g m b h, ggmbh, mbh, ag, kg, kgaa, ohg, gbr, ug, ev, eg, ek, se, aktiengesellschaft',
    'gesellschaft mit beschrankter haftung',
    // French, Belgian, Luxembourgish
    'sa, s a, sas, sasu, sarl, sa rl, s a r l, eurl, snc, sca, scrl, sprl, asbl, societe anonyme',
    // Italian, Spanish, Portuguese, Romanian
    'srl, s r l, srls, spa, s p a, sapa, scarl, societa per azioni, sl, s l, slu, sau, de cv, de c v, sab, sapi',
    'sociedad anonima, lda, ltda, limitada, eireli, sgps',
    // Dutch
    'bv, b v, nv, n v, vof, cv, bvba, cvba, vzw, naamloze vennootschap, besloten vennootschap',
    // Nordic and Baltic
    'ab, hb, oy, oyj, as, a s, asa, aps, ans, amba, hf, ehf, ou, uab, sia, aktiebolag, osakeyhtio',
    // Central and Eastern European
    'sp z oo, sp z o o, sp k, sp j, spolka akcyjna, sro, s r o, spol s r o, spol sro, doo, d o o, dooel, dd, d d',
    'kft, zrt, nyrt, bt, ad, ead, ood, eood, jsc, ojsc, cjsc, pjsc, ад, еад, оод, еоод, ооо, оао, зао, пао, ао, тов, прат, тоо',
    // Greek, Turkish
    'αε, επε, οε, ικε, as ti, ltd sti, anonim sirketi, limited sirketi',
    // Asian
    'tbk, kk, k k, gk, 株式会社, 有限会社, 合同会社, 株, 股份有限公司, 有限责任公司, 有限責任公司, 有限公司, 주식회사, 유한회사, 주',
  ]
    .join(', ')
    .split(', '),
)
/** Most names end in none of these. */
const LAST_WORDS = new Set([...TRAILING].map((form) => form.slice(form.lastIndexOf(' ') + 1)))
const LEADING = new Set(
  'pt, uab, sia, ооо, оао, зао, пао, ао, ип, тов, прат, тоо, 株式会社, 有限会社, 合同会社, 株, 주식회사, 유한회사, 주'.split(
    ', ',
  ),
)
// Written without a space before or after the name.
const ATTACHED =
  /^(?:株式会社|有限会社|合同会社|주식회사)(?=.)|(?<=.)(?:株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限責任公司|有限公司|주식회사)$/u
const BEYOND_ASCII = /[^\x20-\x7e]/
const LONGEST = 4

/** Takes legal forms off both ends of a name, as long as something else remains. In: tokens of form C. */
export function withoutLegalForm(tokens: readonly string[]): NameWithoutLegalForm {
  const found: string[] = []
  let rest = tokens
  if (rest.length > 1 && LEADING.has(rest[0] ?? '')) {
    found.push(rest[0] ?? '')
    rest = rest.slice(1)
  }
  for (let size = trailingSize(rest); size > 0; size = trailingSize(rest)) {
    found.push(rest.slice(-size).join(' '))
    rest = rest.slice(0, -size)
  }
  if (rest.some(isBeyondAscii)) {
    rest = rest.map((token) =>
      token.replace(ATTACHED, (form) => {
        found.push(form)
        return ''
      }),
    )
  }
  return { tokens: rest, legalForm: found.toReversed().join(' ') }
}

function isBeyondAscii(token: string): boolean {
  return BEYOND_ASCII.test(token)
}

function trailingSize(tokens: readonly string[]): number {
  if (!LAST_WORDS.has(tokens.at(-1) ?? '')) return 0
  for (let size = Math.min(LONGEST, tokens.length - 1); size > 0; size--) {
    if (TRAILING.has(tokens.slice(-size).join(' '))) return size
  }
  return 0
}
