import type { Db } from './connect.ts'

const IMAGE = 'P18'

/**
 * Names of the files of pictures that an item states.
 * @returns undefined: it was not asked yet, or in vain
 */
export async function heldPictures(
  db: Db,
  service: string,
  item: string,
): Promise<readonly string[] | undefined> {
  const row = await db
    .selectFrom('item_value')
    .where('service', '=', service)
    .where('external_id', '=', item)
    .where('property', '=', IMAGE)
    .select('held')
    .executeTakeFirst()
  return row?.held?.filter((value): value is string => typeof value === 'string')
}
