import { describe, expect, it } from 'vitest'
import {
  comparableIdentifier,
  isIdentifierProperty,
  plainIdentifier,
} from '../../../../src/core/identifiers/plain-identifier.ts'
import { identifierSchemes } from '../../../../src/core/identifiers/identifier-schemes.ts'

/** By property: what Wikidata writes, then the dresses it comes in. */
const forms: Readonly<Record<string, readonly (readonly string[])[]>> = {
  P212: [
    ['978-0-330-25864-7', 'ISBN 978-0-330-25864-7', 'ISBN-13: 978‐0‐330‐25864‐7'],
    ['9780330258647', 'ISBN 9780330258647'],
  ],
  P213: [
    [
      '0000000123315230',
      '0000 0001 2331 5230',
      'ISNI 0000 0001 2331 5230',
      'ISNI:0000000123315230',
      'https://isni.org/isni/0000000123315230',
      'http://www.isni.org/0000000123315230',
      'https://isni.org/page/0000000123315230/',
      '0000\u00a00001\u00a02331\u00a05230',
    ],
    ['000000012146438X', '0000 0001 2146 438x'],
  ],
  P214: [
    [
      '113230702',
      'https://viaf.org/viaf/113230702/',
      'http://viaf.org/viaf/113230702/#Adams,_Douglas,_1952-2001',
      'https://viaf.org/en/viaf/113230702',
      'viaf.org/viaf/113230702',
      'VIAF 113230702',
      'VIAF ID: 113230702',
      '(VIAF)113230702',
      ' 113230702\u200b',
    ],
  ],
  P227: [
    [
      '118510541',
      '(DE-588)118510541',
      '(DE-588a)118510541',
      'DE-588 118510541',
      'https://d-nb.info/gnd/118510541',
      'http://d-nb.info/gnd/118510541/about/lds',
      'https://www.deutsche-biographie.de/pnd118510541.html',
      'GND: 118510541',
      'PND=118510541',
    ],
    ['4079163-4', '(DE-588)4079163-4', '4079163–4'],
    ['11854023X', 'gnd:11854023x'],
  ],
  P236: [
    ['0024-9319', 'ISSN 0024-9319', '00249319', 'https://portal.issn.org/resource/ISSN/0024-9319'],
  ],
  P243: [
    ['41266045', '(OCoLC)41266045', 'ocm41266045', '(OCoLC)ocn041266045', 'OCLC: 41266045'],
    [
      '41266045',
      'https://www.worldcat.org/oclc/41266045',
      'https://search.worldcat.org/oclc/41266045',
    ],
  ],
  P244: [
    [
      'n79021164',
      'n  79021164',
      'n 79021164 ',
      'n79-21164',
      'N79021164',
      '(DLC)n  79021164',
      'LCCN: n 79021164',
      'http://id.loc.gov/authorities/names/n79021164',
      'https://id.loc.gov/authorities/names/n79021164.html',
      'https://lccn.loc.gov/n79021164',
    ],
    ['sh85118553', 'sh 85118553', 'http://id.loc.gov/authorities/subjects/sh85118553#concept'],
    ['75425165', '75-425165//r75'],
    ['no2001000002', 'no 2001000002', 'no2001-2'],
  ],
  P245: [
    [
      '500115588',
      'ULAN 500115588',
      'http://vocab.getty.edu/ulan/500115588',
      'http://vocab.getty.edu/page/ulan/500115588',
      'https://www.getty.edu/vow/ULANFullDisplay?find=&role=&nation=&subjectid=500115588',
    ],
  ],
  P268: [
    [
      '11886092r',
      'cb11886092r',
      'ark:/12148/cb11886092r',
      'http://catalogue.bnf.fr/ark:/12148/cb11886092r',
      'https://data.bnf.fr/ark:/12148/cb11886092r#about',
    ],
  ],
  P269: [
    [
      '026927608',
      'https://www.idref.fr/026927608',
      'http://www.idref.fr/026927608/id',
      '(IdRef)026927608',
    ],
  ],
  P345: [
    [
      'nm0010930',
      'https://www.imdb.com/name/nm0010930/?ref_=fn_al_nm_1',
      'http://m.imdb.com/name/nm0010930',
    ],
    [
      'tt0371724',
      'https://www.imdb.com/title/tt0371724/',
      'imdb.com/title/tt0371724',
      'IMDb: tt0371724',
    ],
  ],
  P349: [['00430962', 'https://id.ndl.go.jp/auth/ndlna/00430962']],
  P356: [
    [
      '10.1000/XYZ.182(A)',
      '10.1000/xyz.182(a)',
      'doi:10.1000/xyz.182(a)',
      'DOI 10.1000/xyz.182(a)',
      'info:doi/10.1000/xyz.182(a)',
      'https://doi.org/10.1000/xyz.182(a)',
      'http://dx.doi.org/10.1000%2Fxyz.182%28a%29',
    ],
  ],
  P396: [['CFIV000163', 'IT\\ICCU\\CFIV\\000163', 'CFIV\\000163']],
  P402: [
    [
      '62422',
      'https://www.openstreetmap.org/relation/62422#map=10/52/13',
      'r62422',
      'relation/62422',
    ],
  ],
  P434: [
    [
      'e9ed318d-8cc5-4cf8-ab77-505e39ab6ea4',
      'https://musicbrainz.org/artist/e9ed318d-8cc5-4cf8-ab77-505e39ab6ea4',
      'http://musicbrainz.org/artist/E9ED318D-8CC5-4CF8-AB77-505E39AB6EA4/relationships',
      'MBID: e9ed318d-8cc5-4cf8-ab77-505e39ab6ea4',
    ],
  ],
  P436: [
    [
      'b84ee12a-09ef-421b-82de-0441a926375b',
      'https://musicbrainz.org/release-group/b84ee12a-09ef-421b-82de-0441a926375b',
    ],
  ],
  P496: [
    [
      '0000-0002-1825-0097',
      'https://orcid.org/0000-0002-1825-0097',
      'orcid.org/0000-0002-1825-0097',
      '0000000218250097',
      'ORCID iD: 0000-0002-1825-0097',
    ],
    ['0000-0002-1694-233X', 'http://orcid.org/0000-0002-1694-233x'],
  ],
  P698: [
    [
      '17170002',
      'PMID: 17170002',
      'https://pubmed.ncbi.nlm.nih.gov/17170002/',
      'https://www.ncbi.nlm.nih.gov/pubmed/17170002',
    ],
  ],
  P818: [
    [
      '1501.00001',
      'arXiv:1501.00001v2',
      'https://arxiv.org/abs/1501.00001v2',
      'https://arxiv.org/pdf/1501.00001.pdf',
    ],
    ['hep-th/9901001', 'arXiv:hep-th/9901001'],
  ],
  P906: [['182099', 'http://libris.kb.se/auth/182099', '(SELIBR)182099']],
  P932: [
    [
      '1874618',
      'PMC1874618',
      'PMCID: PMC1874618',
      'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1874618/',
    ],
  ],
  P957: [
    ['0-330-25864-8', 'ISBN 0-330-25864-8'],
    ['080442957X', 'ISBN-10: 080442957x'],
  ],
  P1006: [['068744307', 'http://data.bibliotheken.nl/id/thes/p068744307', 'PPN 068744307']],
  P1014: [['300015637', 'http://vocab.getty.edu/aat/300015637', 'AAT: 300015637']],
  P1278: [
    [
      '529900T8BM49AURSDO55',
      'https://search.gleif.org/#/record/529900T8BM49AURSDO55',
      'lei 529900t8bm49aursdo55',
    ],
  ],
  P1566: [
    [
      '2950159',
      'https://www.geonames.org/2950159/berlin.html',
      'http://sws.geonames.org/2950159/',
      'geonames:2950159',
    ],
  ],
  P1667: [['7000084', 'http://vocab.getty.edu/page/tgn/7000084']],
  P2002: [
    ['dougadams', '@dougadams', 'https://twitter.com/dougadams?lang=en', 'https://x.com/dougadams'],
  ],
  P2427: [['grid.5335.0', 'https://www.grid.ac/institutes/grid.5335.0', 'GRID ID: grid.5335.0']],
  P6782: [['013meh722', 'https://ror.org/013meh722', 'ror.org/013meh722', 'ROR: 013MEH722']],
}

const rows = Object.entries(forms).flatMap(([pid, ids]) =>
  ids.flatMap(([plain = '', ...dresses]) =>
    [plain, ...dresses].map((text) => [pid, text, plain] as const),
  ),
)

it.each(rows)('%s: %j is %s', (pid, text, plain) => {
  expect(plainIdentifier(pid, text)).toBe(plain)
})

it('every kind of identifier has forms that are tried', () => {
  const musicBrainz = identifierSchemes['P434']
  const kinds = Object.entries(identifierSchemes)
    .filter(([pid, scheme]) => scheme !== musicBrainz || pid === 'P434')
    .map(([pid]) => pid)
  expect(Object.keys(forms)).toEqual(expect.arrayContaining(kinds))
})

it.each([
  ['P214', 'see VIAF'],
  ['P214', '12/34'],
  ['P214', 'https://example.org/viaf/113230702'],
  ['P213', '0000 0001 2331 523'],
  ['P356', 'in print'],
  ['P345', 'Douglas Adams'],
  ['P6782', 'https://ror.org/'],
  ['P496', ''],
])('%s: %j is no identifier, so it says nothing', (pid, text) => {
  expect(plainIdentifier(pid, text)).toBeNull()
  expect(comparableIdentifier(pid, text)).toBeNull()
})

describe('two spellings are one identifier', () => {
  it.each([
    ['P213', '0000 0001 2331 5230', '0000000123315230'],
    ['P212', '978-0-330-25864-7', '9780330258647'],
    ['P227', '4079163-4', '40791634'],
    ['P268', 'FRBNF11886092', 'http://catalogue.bnf.fr/ark:/12148/cb11886092r'],
    ['P268', 'FRBNF118860929', '11886092r'],
    ['P2002', 'DougAdams', 'dougadams'],
    ['viaf', '(VIAF)113230702', 'https://viaf.org/viaf/113230702/'],
    ['inventory', 'A-1-2', 'a 12'],
  ])('%s: %j and %j', (pid, one, other) => {
    expect(comparableIdentifier(pid, one)).toBe(comparableIdentifier(pid, other))
  })

  it('but not two identifiers', () => {
    expect(comparableIdentifier('P356', '10.1000/a-1')).not.toBe(
      comparableIdentifier('P356', '10.1000/a1'),
    )
    expect(comparableIdentifier('P1566', 'https://www.geonames.org/1/berlin.html')).not.toBe(
      comparableIdentifier('P1566', 'https://www.geonames.org/2/berlin.html'),
    )
  })
})

it('a property that is none of them keeps its text', () => {
  expect(isIdentifierProperty('P569')).toBe(false)
  expect(isIdentifierProperty('constructor')).toBe(false)
  expect(plainIdentifier('inventory', ' A-1-2 ')).toBe('A-1-2')
})
