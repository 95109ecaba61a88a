/** What a spreadsheet file has in it: its sheets in order, and where their parts are. */
import { brokenXlsx } from './broken-xlsx.ts'
import { readPart, type XlsxFile } from './read-part.ts'
import { attributeOf, type XmlToken } from './xml-splitter.ts'

export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  readonly part: string
}

export interface Workbook {
  /** Those with cells, in the order of their tabs; charts left out. */
  readonly sheets: readonly Sheet[]
  readonly sharedStringsPart: string | undefined
  readonly stylesPart: string | undefined
  /** Days are counted from 1904 instead of 1900. */
  readonly isFrom1904: boolean
}

const MOST_BYTES = 16 * 1024 * 1024
const USUAL_PLACE = 'xl/workbook.xml'

/** @throws UsageError `broken_xlsx` */
export async function readWorkbook(file: XlsxFile): Promise<Workbook> {
  const part = await workbookPart(file)
  const related = await relationsOf(file, part)
  const sheets: Sheet[] = []
  let isFrom1904 = false
  await eachOpen(file, part, ({ name, attributes }) => {
    if (name === 'workbookPr') {
      isFrom1904 = ['1', 'true'].includes(attributeOf(attributes, 'date1904') ?? '')
    }
    if (name !== 'sheet') return
    const relation = related.find(({ id }) => id === relationId(attributes))
    if (relation?.type !== 'worksheet') return
    sheets.push({
      name: attributeOf(attributes, 'name') ?? '',
      isHidden: (attributeOf(attributes, 'state') ?? 'visible') !== 'visible',
      part: relation.part,
    })
  })
  if (sheets.length === 0) throw brokenXlsx(file.name, 'has no sheet with cells')
  const partOf = (type: string) => related.find((one) => one.type === type)?.part
  return {
    sheets,
    sharedStringsPart: partOf('sharedStrings'),
    stylesPart: partOf('styles'),
    isFrom1904,
  }
}

async function workbookPart(file: XlsxFile): Promise<string> {
  if (!file.archive.names.includes('_rels/.rels')) return USUAL_PLACE
  const related = await relationsOf(file, '')
  return related.find(({ type }) => type === 'officeDocument')?.part ?? USUAL_PLACE
}

interface Relation {
  readonly id: string
  /** Last part of its URI: the strict and the usual form differ before it. */
  readonly type: string
  readonly part: string
}

/** @param part '' for the file as a whole */
async function relationsOf(file: XlsxFile, part: string): Promise<readonly Relation[]> {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, slash + 1)
  const place = `${folder}_rels/${part.slice(slash + 1)}.rels`
  const relations: Relation[] = []
  if (!file.archive.names.includes(place)) return relations
  await eachOpen(file, place, ({ name, attributes }) => {
    if (name !== 'Relationship') return
    const target = attributeOf(attributes, 'Target') ?? ''
    relations.push({
      id: attributeOf(attributes, 'Id') ?? '',
      type: (attributeOf(attributes, 'Type') ?? '').split('/').at(-1) ?? '',
      part: new URL(target, `file:///${folder}`).pathname.slice(1),
    })
  })
  return relations
}

/** `r:id`, whatever prefix the file gives that namespace. */
function relationId(attributes: string): string | undefined {
  return attributeOf(attributes, '[^\\s=:]+:id')
}

async function eachOpen(
  file: XlsxFile,
  part: string,
  onOpen: (token: Extract<XmlToken, { kind: 'open' }>) => void,
): Promise<void> {
  for await (const tokens of readPart(file, part, MOST_BYTES)) {
    for (const token of tokens) if (token.kind === 'open') onOpen(token)
  }
}
