import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agreeingForm, nameForms } from '../../../src/core/names/normalize-name.ts'

const formOf = (left: string, right: string): string | null =>
  agreeingForm(nameForms(left), nameForms(right))

describe('form A', () => {
  it.each([
    ['case and outer white space', '  ACME\u00a0\n Corp ', 'acme corp'],
    ['zero-width space and byte order mark', '\ufeffNew\u200bYork', 'new york'],
    ['soft hyphen and zero-width joiners', 'Ca\u00adfé\u200d', 'café'],
    ['full-width letters', 'Ａ＆Ｗ', 'a&w'],
    ['sharp s', 'STRAẞE straße', 'strasse strasse'],
    ['final sigma', 'Οδός', 'ΟΔΌΣ'],
    ['dotted capital I, whose lower case has two code points', 'İstanbul', 'istanbul'],
    ['curly and straight quotes', '‘Joe’ “Bob”', '\'joe\' "bob"'],
    ['an acute accent used as apostrophe', 'McDonald´s', "McDonald's"],
    ['Hawaiian and Hebrew quotes', 'Hawaiʻi צה״ל', 'hawai\'i צה"ל'],
    ['dashes', 'Coca‑Cola — Zero', 'coca-cola - zero'],
    ['the word and', 'Marks and Spencer', 'Marks & Spencer'],
    ['its German and French sisters', 'Müller und Söhne et Fils', 'müller & söhne & fils'],
    ['composed and decomposed marks', 'Müller'.normalize('NFC'), 'Müller'.normalize('NFD')],
    ['a trade mark sign, which is not the letters TM', 'Lego™', 'lego'],
    ['control characters', 'a\u0000b\u0007c', 'a b c'],
  ])('has one spelling for %s', (_, left, right) => {
    expect(nameForms(left).a).toBe(nameForms(right).a)
  })

  it('keeps a name that is itself the word "and" in some language', () => {
    expect(nameForms('ET').a).toBe('et')
    expect(nameForms('And').tokens).toEqual(['and'])
  })
})

describe('form B', () => {
  it.each([
    ['Łódź', 'lodz'],
    ['Škoda', 'skoda'],
    ['Tromsø', 'tromso'],
    ['Đà Nẵng', 'da nang'],
    ['Þórr', 'thorr'],
    ['Æble & Œuvre', 'aeble & oeuvre'],
    ['Diyarbakır', 'diyarbakir'],
    ['Ελλάδα', 'ελλαδα'],
    ['Ёлка й Қазақ', 'елка и казак'],
  ])('folds %s', (name, folded) => {
    expect(nameForms(name).b).toBe(folded)
  })

  it.each([
    ['Japanese', 'が', 'か'],
    ['Japanese half marks', 'パ', 'ハ'],
    ['Hindi', 'हिन्दी', 'हनद'],
    ['Arabic', 'مُحَمَّد', 'محمد'],
  ])('leaves the marks of %s alone', (_, marked, bare) => {
    expect(nameForms(marked).b).toBe(marked)
    expect(formOf(marked, bare)).toBeNull()
  })

  it('keeps Hangul syllables whole', () => {
    expect(nameForms('한국'.normalize('NFD')).b).toBe('한국')
    expect(nameForms('한국').b).toHaveLength(2)
  })
})

describe('form C', () => {
  it.each([
    ['Coca-Cola', ['coca', 'cola']],
    ["McDonald's", ['mcdonalds']],
    ['J.R.R. Tolkien', ['jrr', 'tolkien']],
    ['U.S. Bank', ['us', 'bank']],
    ['E.Leclerc', ['e', 'leclerc']],
    ['H&M', ['h', 'm']],
    ['Monet, Claude', ['monet', 'claude']],
    ['ジョン・スミス', ['ジョン', 'スミス']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['7-Eleven®', ['7', 'eleven']],
  ])('splits %s into words', (name, tokens) => {
    expect(nameForms(name).tokens).toEqual(tokens)
    expect(nameForms(name).c).toBe(tokens.join(' '))
  })

  it('keeps the punctuation of a name that has nothing else', () => {
    expect(nameForms('!!!').c).toBe('!!!')
    expect(formOf('!!!', '???')).toBeNull()
    expect(formOf('😀', '😁')).toBeNull()
  })
})

describe('form D', () => {
  it.each([
    ['Acme Inc.', 'acme', 'inc'],
    ['Acme GmbH & Co. KG', 'acme', 'gmbh co kg'],
    ['Carrefour S.A.', 'carrefour', 'sa'],
    ['Ferrero S.p.A.', 'ferrero', 'spa'],
    ['Barilla S. r. l.', 'barilla', 's r l'],
    ['Philips N.V.', 'philips', 'nv'],
    ['Nokia Oyj', 'nokia', 'oyj'],
    ['Żabka Polska Sp. z o.o.', 'zabka polska', 'sp z oo'],
    ['Migros Ticaret A.Ş.', 'migros ticaret', 'as'],
    ['Eesti Energia OÜ', 'eesti energia', 'ou'],
    ['ООО «Ромашка»', 'ромашка', 'ооо'],
    ['PT Astra International Tbk', 'astra international', 'tbk pt'],
    ['株式会社ソニー', 'ソニー', '株式会社'],
    ['㈱ソニー', 'ソニー', '株'],
    ['삼성전자 주식회사', '삼성전자', '주식회사'],
  ])('takes the legal form off %s and keeps it apart', (name, core, legalForm) => {
    expect(nameForms(name).d).toBe(core)
    expect(nameForms(name).legalForm).toBe(legalForm)
  })

  it('never takes the whole name', () => {
    expect(nameForms('Inc').d).toBe('inc')
    expect(nameForms('AB').legalForm).toBe('')
    expect(nameForms('株式会社').d).toBe('株式会社')
  })
})

describe('agreeingForm', () => {
  it('tells the strictest form in which two names agree', () => {
    expect(formOf('Łódź', 'ŁÓDŹ')).toBe('a')
    expect(formOf('Łódź', 'Lodz')).toBe('b')
    expect(formOf('Coca-Cola', 'Cocá Cola')).toBe('c')
    expect(formOf('Acme GmbH', 'Acme Ltd')).toBe('d')
    expect(formOf('Acme', 'Acne')).toBeNull()
  })

  it('does not take two blank names for equal', () => {
    expect(formOf('', ' \u200b ')).toBeNull()
  })

  it('does not make unrelated names of one Chinese reading equal', () => {
    expect(formOf('東京', '东京')).toBeNull()
  })
})

describe('any text', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 40 })

  it('has forms that a second pass does not change', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { c } = nameForms(text)
        expect(nameForms(c).c).toBe(c)
      }),
    )
  })

  it('agrees with itself in form A unless it is blank, in upper case and decomposed too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        const expected = nameForms(text).a === '' ? null : 'a'
        expect(formOf(text, text)).toBe(expected)
        expect(formOf(text, text.normalize('NFD'))).toBe(expected)
      }),
    )
  })

  it('is the same with signs that Unicode holds for one another', () => {
    for (const [sign, same] of [
      ['\u1fef', '`'],
      ['\u1ffd', '\u00b4'],
      ['\u0374', '\u02b9'],
    ] as const) {
      expect(nameForms(`a${sign}b`)).toEqual(nameForms(`a${same}b`))
    }
    // Spelt out with a quote, which must not be another quote the second time.
    expect(nameForms('ʢ').c).toBe(nameForms(nameForms('ʢ').c).c)
  })

  it('survives lone surrogates', () => {
    expect(nameForms('a\ud800b').tokens).toEqual(['a', 'b'])
    expect(nameForms('\udfff').tokens).toHaveLength(1)
  })

  it('has words without spaces that make up form C', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { c, tokens } = nameForms(text)
        expect(tokens.join(' ')).toBe(c)
        expect(tokens.every((token) => token !== '' && !token.includes(' '))).toBe(true)
      }),
    )
  })

  it('is the same for a Latin letter alone as beside signs that are rare', () => {
    for (let code = 0xc0; code < 0x250; code += 1) {
      const name = `x${String.fromCharCode(code)}y`
      // A Greek letter and a free mark, so that no short cut for plain texts is taken.
      const beside = nameForms(`${name} \u03b1\u0323`)
      expect(nameForms(name).a).toBe(beside.a.split(' ')[0])
      expect(nameForms(name).b).toBe(beside.b.split(' ')[0])
    }
  })
})
