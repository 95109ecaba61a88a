import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nsiVersion, readNsiBrands, readNsiItems } from './nsi-package.ts'
import { chooseSample } from './sample-records.ts'

// Part of the file name: raise it whenever the rows or the choice of the sample change.
const BUILDER_VERSION = 1
const OFFICIAL_WEBSITE = 'P856'

/**
 * Path of the sample knowledge base in `cacheFolder`: some 27,000 Wikidata items with label, description and official
 * websites, without the items taken out for the sample. Built on first use and for each version of the package; several
 * processes may call it at once.
 */
export async function sampleKnowledgeBasePath(cacheFolder: string): Promise<string> {
  const path = join(cacheFolder, `sample-kb-${await nsiVersion()}-${BUILDER_VERSION}.jsonl`)
  if (await exists(path)) return path
  await mkdir(cacheFolder, { recursive: true })
  const unfinished = `${path}.${process.pid}.part`
  try {
    await writeFile(unfinished, await sampleKnowledgeBase())
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
  return path
}

async function sampleKnowledgeBase(): Promise<string> {
  const items = await readNsiItems()
  const records = chooseSample(await readNsiBrands(), items)
  const absent = new Set(records.filter(({ inKb }) => !inKb).map(({ expectedQid }) => expectedQid))
  const rows = items
    .filter(({ qid, label }) => label !== undefined && !absent.has(qid))
    .map(({ qid, label, description, websites }) => ({
      qid,
      label,
      description,
      aliases: [],
      types: [],
      properties: websites.length === 0 ? {} : { [OFFICIAL_WEBSITE]: websites },
    }))
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    // Not there, or not readable: it is written anew, and that says what is wrong.
    return false
  }
}
