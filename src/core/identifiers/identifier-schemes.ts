/**
 * Identifiers by Wikidata property: how they look, and in which dress people have them. Data; `plain-identifier.ts`
 * reads it. Shapes follow the "format as a regular expression" of each property, where that is not too narrow for what
 * stands in real files. Patterns are parts of a regular expression without regard to case.
 */
export interface IdentifierScheme {
  readonly name: string
  /** The bare identifier, dividers allowed. */
  readonly id: string
  /** What may stand before it, in brackets or with a colon: `VIAF`, `(DE-588)`. */
  readonly labels: string
  /** Addresses that end in it, without scheme and leading host names. */
  readonly addresses: readonly string[]
  /** What may stand behind it and does not count: a revision. */
  readonly behind?: string
  readonly letters?: 'upper' | 'lower'
  /** How Wikidata writes it; default: as it stands. */
  readonly write?: (id: string) => string
  /** What two spellings of one identifier have in common; default: letters and digits. */
  readonly compare?: (id: string) => string
}

const withoutDividers = (id: string): string => id.replace(/[\s-]/g, '')
const digit15AndCheck = '(?:\\d[ -]*){15}[\\dX]'
const digit8AndCheck = '\\d{8}[\\dX]'

const musicBrainz: IdentifierScheme = {
  name: 'MusicBrainz',
  id: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  labels: 'MBID|MusicBrainz',
  addresses: ['musicbrainz\\.org/[a-z-]+/'],
  letters: 'lower',
}
const MUSICBRAINZ_PROPERTIES = 'P434 P435 P436 P966 P982 P1004 P1330 P1407 P4404 P5813 P6423'.split(
  ' ',
)

export const identifierSchemes: Readonly<Record<string, IdentifierScheme>> = {
  ...Object.fromEntries(MUSICBRAINZ_PROPERTIES.map((pid) => [pid, musicBrainz])),
  P212: {
    name: 'ISBN-13',
    id: '97[89][ -]?(?:\\d[ -]?){9}\\d',
    labels: 'ISBN(?:-?13)?',
    addresses: [],
  },
  P213: {
    name: 'ISNI',
    id: digit15AndCheck,
    labels: 'ISNI',
    addresses: ['isni\\.org/(?:isni/|page/)?', 'isni\\.oclc\\.\\w+/\\S*?isni\\W*'],
    letters: 'upper',
    write: withoutDividers,
  },
  P214: {
    name: 'VIAF',
    id: '[1-9]\\d{0,21}',
    labels: 'VIAF(?: ID)?',
    addresses: ['viaf\\.org/(?:[a-z]+/)?viaf/', 'viaf\\.org/(?:[a-z]+/)?cluster/'],
  },
  P227: {
    name: 'GND',
    id: '\\d{1,10}-?[\\dX]',
    labels: 'DE-588[a-z]?|GND|PND|GKD|SWD',
    addresses: ['d-nb\\.info/gnd/', 'deutsche-biographie\\.de/(?:pnd|gnd)', 'lobid\\.org/gnd/'],
    letters: 'upper',
  },
  P236: {
    name: 'ISSN',
    id: '\\d{4}-?\\d{3}[\\dX]',
    labels: 'e?-?ISSN(?:-L)?',
    addresses: ['issn\\.org/resource/issn/'],
    letters: 'upper',
    write: (id) => withoutDividers(id).replace(/^(.{4})/, '$1-'),
  },
  P243: {
    name: 'OCLC',
    id: '\\d{1,14}',
    labels: 'OCoLC|OCLC|ocm|ocn|on',
    addresses: ['worldcat\\.org/(?:[a-z]+/)*oclc/'],
    write: (id) => id.replace(/^0+(?=\d)/, ''),
  },
  P244: {
    name: 'Library of Congress',
    id: '[a-z]{0,3} *(?:\\d{8}|\\d{4} ?\\d{6}|\\d{2,4}-\\d{1,6})',
    labels: 'DLC|LCCN|LCNAF|LCSH|LoC',
    addresses: ['id\\.loc\\.gov/(?:[a-z]+/)+', 'lccn\\.loc\\.gov/'],
    behind: ' */.*',
    letters: 'lower',
    // Blanks go; a number behind a hyphen is filled up to six digits (loc.gov/marc/lccn-namespace.html).
    write: (id) =>
      id.replaceAll(' ', '').replace(/-(\d+)$/, (_, serial: string) => serial.padStart(6, '0')),
  },
  P245: {
    name: 'ULAN',
    id: '500\\d{6}',
    labels: 'ULAN',
    addresses: ['getty\\.edu/(?:page/)?ulan/', 'getty\\.edu/vow/\\S*?subjectid='],
  },
  P268: {
    name: 'BnF',
    id: '(?:cb)?\\d{8}[\\db-z]?',
    labels: 'BnF|FRBNF|ark:/12148',
    addresses: ['bnf\\.fr/(?:[a-z]{2}/)?(?:ark:/12148/)?', 'n2t\\.net/ark:/12148/'],
    letters: 'lower',
    write: (id) => id.replace('cb', ''),
    // The last character is a check, which the old numbers (FRBNF…) have not, or have otherwise.
    compare: (id) => id.slice(0, 8),
  },
  P269: {
    name: 'IdRef',
    id: digit8AndCheck,
    labels: 'IdRef|PPN|SUDOC',
    addresses: ['idref\\.fr/'],
    letters: 'upper',
  },
  P345: {
    name: 'IMDb',
    id: '(?:tt|nm|co|ch|ev|ni)\\d{7,10}',
    labels: 'IMDb',
    addresses: ['imdb\\.com/(?:[a-z]{2}/)?[a-z]+/'],
    letters: 'lower',
  },
  P349: {
    name: 'NDL',
    id: '\\d{8,9}',
    labels: 'NDL',
    addresses: ['ndl\\.go\\.jp/auth/(?:ndlna|ndlsh|entity)/'],
  },
  P356: {
    name: 'DOI',
    id: '10\\.\\d{4,9}/\\S+',
    labels: 'doi|info:doi',
    addresses: ['doi\\.org/'],
    letters: 'upper',
    compare: (id) => id,
  },
  P396: {
    name: 'SBN',
    id: '[A-Z0-9]{3}V\\\\?\\d{6}',
    labels: 'IT\\\\ICCU\\\\',
    addresses: [],
    letters: 'upper',
    write: (id) => id.replace('\\', ''),
  },
  P402: {
    name: 'OpenStreetMap relation',
    id: '[1-9]\\d{0,9}',
    labels: 'relation|r',
    addresses: ['openstreetmap\\.org/relation/', 'osm\\.org/relation/'],
  },
  P496: {
    name: 'ORCID',
    id: digit15AndCheck,
    labels: 'ORCID(?: iD)?',
    addresses: ['orcid\\.org/'],
    letters: 'upper',
    write: (id) => withoutDividers(id).replace(/(.{4})(?=.)/g, '$1-'),
  },
  P698: {
    name: 'PubMed',
    id: '[1-9]\\d{0,7}',
    labels: 'PMID|PubMed(?: ID)?',
    addresses: ['pubmed\\.ncbi\\.nlm\\.nih\\.gov/', 'ncbi\\.nlm\\.nih\\.gov/pubmed/'],
  },
  P818: {
    name: 'arXiv',
    id: '(?:\\d{4}\\.\\d{4,5}|[a-z.-]+/\\d{7})',
    labels: 'arXiv',
    addresses: ['arxiv\\.org/(?:abs|pdf)/'],
    behind: 'v\\d+',
    letters: 'lower',
    compare: (id) => id,
  },
  P906: {
    name: 'SELIBR',
    id: '[1-9]\\d{4,5}',
    labels: 'SELIBR|LIBRIS',
    addresses: ['libris\\.kb\\.se/auth/'],
  },
  P932: {
    name: 'PubMed Central',
    id: '[1-9]\\d{3,8}',
    labels: 'PMCID|PMC',
    addresses: ['ncbi\\.nlm\\.nih\\.gov/(?:pmc/)?articles/PMC'],
  },
  P957: {
    name: 'ISBN-10',
    id: '(?:\\d[ -]?){9}[\\dX]',
    labels: 'ISBN(?:-?10)?',
    addresses: [],
    letters: 'upper',
  },
  P1006: {
    name: 'NTA',
    id: digit8AndCheck,
    labels: 'NTA|PPN',
    addresses: ['bibliotheken\\.nl/id/thes/p'],
    letters: 'upper',
  },
  P1014: {
    name: 'AAT',
    id: '300\\d{6}',
    labels: 'AAT',
    addresses: ['getty\\.edu/(?:page/)?aat/', 'getty\\.edu/vow/\\S*?subjectid='],
  },
  P1278: {
    name: 'LEI',
    id: '[A-Z0-9]{18}\\d{2}',
    labels: 'LEI',
    addresses: ['gleif\\.org/(?:#/)?record/', 'gleif\\.org/(?:#/)?lei/'],
    letters: 'upper',
  },
  P1566: {
    name: 'GeoNames',
    id: '[1-9]\\d{0,8}',
    labels: 'GeoNames|gn',
    addresses: ['geonames\\.org/(?:[a-z]+/)?'],
  },
  P1667: {
    name: 'TGN',
    id: '\\d{7}',
    labels: 'TGN',
    addresses: ['getty\\.edu/(?:page/)?tgn/', 'getty\\.edu/vow/\\S*?subjectid='],
  },
  P2002: {
    name: 'X (Twitter) user name',
    id: '\\w{1,15}',
    labels: '@',
    addresses: ['(?:twitter|x)\\.com/(?:#!/)?@?'],
    compare: (id) => id.toLowerCase(),
  },
  P2427: {
    name: 'GRID',
    id: 'grid\\.\\d{1,6}\\.[0-9a-f]{1,2}',
    labels: 'GRID(?: ID)?',
    addresses: ['grid\\.ac/institutes/'],
    letters: 'lower',
  },
  P6782: {
    name: 'ROR',
    id: '0[a-hj-km-np-tv-z\\d]{6}\\d{2}',
    labels: 'ROR',
    addresses: ['ror\\.org/'],
    letters: 'lower',
  },
}
