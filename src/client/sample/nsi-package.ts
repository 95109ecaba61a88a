/**
 * The npm package `name-suggestion-index` (BSD-3-Clause): brands as OpenStreetMap mappers write them, and what
 * Wikidata says about their items. Read where it is installed; nothing of it is kept in this repository.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { UnavailableError } from '../../errors.ts'

const PACKAGE = 'name-suggestion-index'

/** A brand in one category, as the package lists it. Unknown members are dropped. */
export interface NsiBrand {
  readonly id: string
  /** Two-letter codes, region numbers, GeoJSON names. */
  readonly locations: readonly unknown[]
  /** Lower-case names the brand also goes by. */
  readonly matchNames: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  /** Category path such as `amenity/fast_food`. */
  readonly category: string
}

export interface NsiItem {
  readonly qid: string
  /** Undefined for the few items without an English label. */
  readonly label: string | undefined
  readonly description: string | undefined
  readonly websites: readonly string[]
}

const brandSchema = z.object({
  id: z.string(),
  locationSet: z.object({ include: z.array(z.unknown()).default([]) }),
  matchNames: z.array(z.string()).default([]),
  tags: z.record(z.string(), z.string()),
})
const brandsSchema = z.object({
  nsi: z.record(z.string(), z.object({ items: z.array(brandSchema).default([]) })),
})
const itemsSchema = z.object({
  wikidata: z.record(
    z.string(),
    z.object({
      label: z.string().optional(),
      description: z.string().optional(),
      officialWebsites: z.array(z.string()).default([]),
    }),
  ),
})
const BRANDS = 'brands/'

/** All brands, in the order of the package. */
export async function readNsiBrands(): Promise<readonly NsiBrand[]> {
  const { nsi } = brandsSchema.parse(await readJson('dist/json/nsi.min.json'))
  return Object.entries(nsi)
    .filter(([path]) => path.startsWith(BRANDS))
    .flatMap(([path, { items }]) =>
      items.map(({ id, locationSet, matchNames, tags }) => ({
        id,
        locations: locationSet.include,
        matchNames,
        tags,
        category: path.slice(BRANDS.length),
      })),
    )
}

/** All Wikidata items the package knows, brands and others. */
export async function readNsiItems(): Promise<readonly NsiItem[]> {
  const { wikidata } = itemsSchema.parse(await readJson('dist/wikidata/wikidata.min.json'))
  return Object.entries(wikidata).map(([qid, { label, description, officialWebsites }]) => ({
    qid,
    label,
    description,
    websites: [...new Set(officialWebsites)],
  }))
}

/** Version of the installed package. */
export async function nsiVersion(): Promise<string> {
  return z.object({ version: z.string() }).parse(await readJson('package.json')).version
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(packageFolder(), path), 'utf8'))
  } catch (cause) {
    throw new UnavailableError({
      code: 'sample_package_missing',
      message: `Cannot read ${path} of the npm package ${PACKAGE}, which the sample data comes from.`,
      hint: 'Install the dependencies: npm ci',
      cause,
    })
  }
}

/** The package exports neither its data nor its package.json, so the folder is found from its entry point. */
function packageFolder(): string {
  const entry = createRequire(import.meta.url).resolve(PACKAGE)
  let folder = dirname(entry)
  while (!folder.endsWith(PACKAGE) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}
