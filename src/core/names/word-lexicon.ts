/**
 * Words that mean the same in names of institutions and places, across languages and abbreviations, and words that
 * carry no meaning of their own. Built from the commonest words of institution and country names; it holds no names.
 */
import type { NameForms } from './normalize-name.ts'

// meaning: spellings in form C. A plural is its singular.

/** What sort of body it is; the one body is often called now this, now that. */
const BODIES = `university: univ, universidad, universite, universitat, universitaet, universita, universidade, universiteit, universitet, universitetet, universitesi, uniwersytet, univerzita, univerzitet, universitas, universitatea, egyetem, yliopisto, ulikool, universitari, universitario, universitaria, universitaire, universitaires, universities, universiti, vishwavidyalaya, vishwavidyalay, vidyapeeth, vidyapith, varsity, daigaku, daehakgyo, daxue, университет, університет, uni
institute: inst, institut, instituto, istituto, instytut, instituut, institutet, institutes, institution, institutions, ustav, институт, інститут
college: coll, colleges, colegio, collegio, kolej, kollege, mahavidyalaya, hochschule, hogskola, hogskole, hogskolen
school: sch, schools, schule, escuela, ecole, scuola, escola, skole, skola
academy: acad, academia, academie, akademie, akademia, akademi, accademia, akademija, академия
faculty: fac, facultad, faculte, fakultat, facolta, faculdade, faculdades, wydzial, fakulta
department: dept, dep, departamento, departement, dipartimento, abteilung, departments, katedra
laboratory: lab, labs, laboratories, laboratoire, laboratorio, labor, laboratorium
center: centre, ctr, cent, centro, zentrum, centrum, centers, centres
hospital: hosp, hospitals, hopital, hopitaux, krankenhaus, klinikum, ospedale, ziekenhuis, szpital, sjukhus, spital, hospitalier, hospitalar
clinic: clin, klinik, clinica, clinique, clinical, clinics, kliniken
foundation: fdn, fundacion, fondation, stiftung, fondazione, fundacao
society: soc, sociedad, societe, gesellschaft, societa
association: assn, assoc, asociacion, verband, associazione
company: co, cie, compania, compagnie`

/** What it does, or which of several of one place it is: another such word is another body. */
const FIELDS = `research: res, forschung, recherche, recherches, investigacion, investigaciones, ricerca, ricerche, pesquisa, onderzoek
science: sci, sciences, ciencia, ciencias, scienze, scienza, wissenschaft, wissenschaften, nauk, wetenschappen, scientific, scientifique, cientifica, cientificas
technology: tech, technol, technologies, technologie, tecnologia, tecnologias, technological, tecnologico, tecnologica, technologique, teknologi, technik, tecnologiche
technical: techn, technische, technique, techniques, tecnica, tecnico, technischen, techniczny, tekniska, teknik, politechnika
polytechnic: polytech, politecnico, politecnica, polytechnique, politeknik, polytechnical, politehnica, polytechnics
engineering: engn, eng, engg, ingenieria, ingenierie, ingegneria, engenharia, ingenieurwissenschaften, ingenieurs, ingenieros
medicine: med, medical, medicina, medecine, medizin, medizinische, medico, medica, medicale, medicinal, medycyny, medyczny, medizinischen, medisch, medicum
health: hlth, salud, sante, gesundheit, salute, saude, healthcare
agriculture: agr, agric, agricultural, agricultura, agraria, agrarian, agronomy, agronomique, agronomica, landwirtschaft, agronomic
forestry: forest, forestal, forstwirtschaft, forestiere
veterinary: vet, veterinaria, veterinaire, tierarztliche
business: bus, negocios, betriebswirtschaft, commerce, commercial, comercio
management: mgmt, administracion, administration, gestion, gestione, admin
economics: econ, economic, economia, economie, wirtschaft, economy, economicas, economiche
finance: financial, finanzas, finances
education: educ, educacion, pedagogical, pedagogica, pedagogico, padagogische, pedagogique, educational, educacao, teacher, teachers, normal
law: juridical, derecho, droit, rechtswissenschaft, diritto
art: arts, artes, kunste, beaux, arti, fine
music: musica, musique, musik, conservatory, conservatorio, conservatoire
design: diseno, gestaltung
sport: sports, deporte, physical
language: languages, lenguas, langues, linguistic
theology: theological, teologico, theologie, seminary
transport: transportation, railway, traffic, transportes
maritime: marine, ocean, oceanographic, naval
mining: mines, metallurgy, bergakademie
petroleum: oil, gas
chemistry: chemical, chem, chemie, chimie, quimica
physics: physical, phys, physik, physique, fisica
biology: biological, biol, biologie, biologia
mathematics: math, maths, mathematical, mathematik
information: informatics, informatik, informatique
communication: communications, comunicacion, media
tourism: turismo, hospitality
architecture: arquitectura, architektur
pharmacy: pharmaceutical, farmacia, pharmacie
dentistry: dental, odontologia
nursing: enfermeria
women: womens, girls
first: 1st
second: 2nd
third: 3rd
fourth: 4th
fifth: 5th
sixth: 6th
open: distance
applied: appl, angewandte, aplicada, aplicadas, appliquees, applicata
state: staat, estado, etat, stato, estatal, staatliche, estadual, panstwowy, states, estados, etats, stati
federal: fed, federale, federated, federee, federadas, bundes
north: nord, norte, northern, septentrional
south: sud, sur, sul, southern, meridional
east: est, este, ost, eastern, oriental, orientale, orientales, leste
west: ouest, oeste, ovest, western, occidental, occidentale
northeast: northeastern, nordeste, nordost
northwest: northwestern, noroeste, nordwest
southeast: southeastern, sudeste, sureste, sudost
southwest: southwestern, sudoeste, suroeste, sudwest
central: centrale, mitte, zentral
upper: alto, haut, haute, ober
lower: bajo, bas, basse, nieder, unter`

/** Who owns or runs it; often left out. */
const OWNERS = `national: natl, nat, nacional, nationale, nationales, nazionale, narodowy, nasional, natnl, nationaler
international: intl, int, internacional, internationale, internazionale
public: publ, publica, publique, offentliche, pubblica
private: privada, prive, privata
catholic: cath, catolica, catholique, katholische, cattolica, katolicki
christian: cristiana, christliche
islamic: islamica, islamique, islam
community: comunidad, communautaire, comunitario
system: sistema, systeme
advanced: adv, avanzados, avancees, avanzati
study: studies, stud, estudios, etudes, studi, studien, estudos`

/** Other words of many names. */
const COMMON = `general: gen, generale
bank: banca, banco, banque, banka
royal: real, reale, koninklijk, konigliche
new: nueva, nuevo, nouvelle, nouveau, neu, neue, nova, novo, nuova
great: gran, grand, grande, gross, grosse, greater
saint: st, san, santa, santo, sankt, ste, sainte, sao, sint
island: is, isl, isla, ile, insel, ilha, isola, islands, islas, iles, inseln, isles, isle, ilhas
republic: rep, republica, republique, republik, repubblica
kingdom: reino, royaume, konigreich, regno
principality: principado, principaute, furstentum
duchy: ducado, duche, herzogtum
commonwealth: mancomunidad, communaute
union: unione
united: unidos, unido, unida, unis, vereinigte, uniti, unies, utd
democratic: dem, democratica, democratique, demokratische
popular: people, peoples, populaire, popolare, volks
socialist: socialista, socialiste
arab: arabe, arabes, arabi
emirate: emirates, emiratos, emirats
territory: ter, terr, territorio, territoire, territories, territorios, territoires
virgin: virgenes, vierges
ocean: oceano
british: britannique, britannicas, britanico, britanica
american: americana, americaines, americaine, estadounidense
french: francaise, francaises, francesa, francesas
coast: costa, cote
equatorial: ecuatorial, equatoriale
city: ciudad, ville, stadt, citta, cidade
mount: mt, monte, mont, mountain
fort: ft
river: rio, riviere, fluss
port: puerto, porto
lake: lago, lac`

const SMALL_WORDS = new Set(
  (
    'a an and at by for from in of on the to with & de del della delle dello dei degli di da do dos das du des d l ' +
    'la le les lo los las el il i gli et y e und der die das den dem fur zu zum zur van het en och og av af im am ' +
    'au aux a al alla alle all dell per para por pour sur sous s na w z'
  ).split(' '),
)

const APPLIED = ['university', 'applied', 'science']
/** One word for what others say in several. */
const COMPOUNDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['fachhochschule', APPLIED],
  ['fh', APPLIED],
  ['hogeschool', APPLIED],
  ['ammattikorkeakoulu', APPLIED],
])

const bodies = readTable(BODIES)
const fields = readTable(FIELDS)
const owners = readTable(OWNERS)
const meaningOf = new Map([...readTable(COMMON), ...owners, ...fields, ...bodies])
const commonMeanings = new Set(meaningOf.values())
const bodyMeanings = new Set(bodies.values())
const ownerMeanings = new Set(owners.values())
const fieldMeanings = new Set(fields.values())

function readTable(table: string): ReadonlyMap<string, string> {
  return new Map(
    table.split('\n').flatMap((line) => {
      const [meaning = '', spellings = ''] = line.split(': ')
      return [meaning, ...spellings.split(', ')].map((word) => [word, meaning] as const)
    }),
  )
}

// French and Italian articles written onto their word.
const ELIDED = /(?<![\p{L}\p{M}\p{N}])(?:l|d|dell|all|nell|sull|dall|qu)'(?=[\p{L}])/gu
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const SHORTEST_PLURAL = 6

/**
 * Form E: the words of a name by meaning, in order, without small words; `Univ. of Rochester` and
 * `Universität Rochester` agree. Falls back to the words of form C where nothing else is left.
 */
export function meaningTokens(forms: NameForms): readonly string[] {
  const text = forms.b.includes("'") ? forms.b.replace(ELIDED, '') : null
  const tokens =
    text === null ? forms.tokens : (text.replaceAll("'", '').match(WORD) ?? forms.tokens)
  const kept = tokens
    .filter((token) => !SMALL_WORDS.has(token))
    .flatMap((token) => COMPOUNDS.get(token) ?? meaning(token))
  return kept.length > 0 ? kept : forms.tokens
}

/** True for a meaning that many institutions or places share, such as `university` or `north`. */
export function isCommonMeaning(token: string): boolean {
  return commonMeanings.has(token)
}

/** True for a sort of body, such as `university`: the one body is often called now a college, now a university. */
export function isBody(token: string): boolean {
  return bodyMeanings.has(token)
}

/** True for a word such as `national` or `private`, which a name is written with and without. */
export function isOwner(token: string): boolean {
  return ownerMeanings.has(token)
}

/** True for a word that tells bodies of one place apart, such as `medicine`, `state` or `north`. */
export function isField(token: string): boolean {
  return fieldMeanings.has(token)
}

function meaning(token: string): string {
  const known = meaningOf.get(token)
  if (known !== undefined) return known
  if (token.length < SHORTEST_PLURAL || !token.endsWith('s') || token.endsWith('ss')) return token
  const singular = token.slice(0, -1)
  return meaningOf.get(singular) ?? singular
}
