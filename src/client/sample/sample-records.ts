/**
 * About 500 real brand records with known answers. Names, countries and categories come from the OpenStreetMap side
 * of the package only, so that finding the Wikidata item is a real question.
 */
import { createHash } from 'node:crypto'
import { nameForms } from '../../core/names/normalize-name.ts'
import { readNsiBrands, readNsiItems, type NsiBrand, type NsiItem } from './nsi-package.ts'

export interface SampleRecord {
  /** Unique; the id of the brand in the package. */
  readonly id: string
  readonly name: string
  /** Other spellings: official, short and translated names. None agrees with the name in form A. */
  readonly variants: readonly string[]
  /** ISO 3166-1 alpha-2, upper case. Empty for brands found worldwide or in parts of a country only. */
  readonly countries: readonly string[]
  /** OpenStreetMap category such as `amenity/fast_food`. */
  readonly category: string
  /** The Wikidata item the mappers gave; not part of the CSV. */
  readonly expectedQid: string
  /** False when the item was taken out of the sample knowledge base: any match is wrong then. */
  readonly inKb: boolean
}

const SAMPLE_SIZE = 500
const MOST_HOMONYMS = 0.1
const ABSENT_SHARE = 0.05
// A word in the hashes: another word gives another sample.
const SEED = 'record-linker sample 1'

const QID = /^Q\d+$/
const NAME_TAG =
  /^(?:name|brand|official_name|short_name|alt_name|full_name|int_name|old_name)(?::(?:short|[a-z]{2,3}(?:-[A-Za-z]+)*))?$/
const COUNTRY_CODE = /^[a-z]{2}$/
const PART_OF_COUNTRY = /\.geojson$/

/** The sample, the same for the same version of the package, in random order. */
export async function sampleRecords(): Promise<readonly SampleRecord[]> {
  return chooseSample(await readNsiBrands(), await readNsiItems())
}

/** The same from data already read. */
export function chooseSample(
  brands: readonly NsiBrand[],
  items: readonly NsiItem[],
): readonly SampleRecord[] {
  // An item without an English label is not in the knowledge base.
  const labelled = new Set(items.filter(({ label }) => label !== undefined).map(({ qid }) => qid))
  const known = brands.filter((brand) => QID.test(qidOf(brand)) && labelled.has(qidOf(brand)))
  const chosen = chooseRows(known)
  const absent = new Set(
    chosen
      .map(qidOf)
      .toSorted(byHash('absent'))
      .slice(0, Math.round(chosen.length * ABSENT_SHARE)),
  )
  return chosen.map((brand) => ({
    id: brand.id,
    name: nameOf(brand),
    variants: variantsOf(brand),
    countries: countriesOf(brand),
    category: brand.category,
    expectedQid: qidOf(brand),
    inKb: !absent.has(qidOf(brand)),
  }))
}

/** One row for each of SAMPLE_SIZE items, at most a tenth with a name that a brand with another item has too. */
function chooseRows(known: readonly NsiBrand[]): readonly NsiBrand[] {
  const qidsByName = new Map<string, Set<string>>()
  const rowByQid = new Map<string, NsiBrand>()
  const byId = byHash('row')
  for (const brand of known) {
    const key = nameForms(nameOf(brand)).c
    const qids = qidsByName.get(key) ?? new Set()
    qidsByName.set(key, qids.add(qidOf(brand)))
    const other = rowByQid.get(qidOf(brand))
    if (other === undefined || byId(brand.id, other.id) < 0) rowByQid.set(qidOf(brand), brand)
  }
  const chosen: NsiBrand[] = []
  let homonyms = 0
  for (const qid of [...rowByQid.keys()].toSorted(byHash('item'))) {
    const brand = rowByQid.get(qid)
    if (brand === undefined || chosen.length === SAMPLE_SIZE) break
    const isHomonym = (qidsByName.get(nameForms(nameOf(brand)).c)?.size ?? 0) > 1
    if (isHomonym && homonyms >= SAMPLE_SIZE * MOST_HOMONYMS) continue
    if (isHomonym) homonyms++
    chosen.push(brand)
  }
  return chosen
}

function qidOf(brand: NsiBrand): string {
  return brand.tags['brand:wikidata'] ?? ''
}

function nameOf({ id, tags }: NsiBrand): string {
  return tags['name'] ?? tags['brand'] ?? id
}

function variantsOf(brand: NsiBrand): readonly string[] {
  const tagged = Object.entries(brand.tags)
    .filter(([key]) => NAME_TAG.test(key))
    .flatMap(([, value]) => value.split(';'))
  const byForm = new Map<string, string>([[nameForms(nameOf(brand)).a, '']])
  for (const text of [...tagged, ...brand.matchNames].map((name) => name.trim())) {
    const form = nameForms(text).a
    // The CSV separates variants by a bar.
    if (form !== '' && !byForm.has(form) && !text.includes('|')) byForm.set(form, text)
  }
  return [...byForm.values()].filter((text) => text !== '')
}

function countriesOf({ locations }: NsiBrand): readonly string[] {
  const places = locations.map(String)
  const isWholeAndParts = places.every(
    (place) => COUNTRY_CODE.test(place) || PART_OF_COUNTRY.test(place),
  )
  if (!isWholeAndParts) return []
  return places.filter((place) => COUNTRY_CODE.test(place)).map((code) => code.toUpperCase())
}

/** Orders texts by a hash: random, but always the same. */
function byHash(purpose: string): (left: string, right: string) => number {
  const hashes = new Map<string, string>()
  const hashOf = (text: string): string => {
    const known = hashes.get(text)
    if (known !== undefined) return known
    const hash = createHash('sha256').update(`${SEED}\n${purpose}\n${text}`).digest('hex')
    hashes.set(text, hash)
    return hash
  }
  return (left, right) => (hashOf(left) < hashOf(right) ? -1 : 1)
}
