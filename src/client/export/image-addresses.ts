import { COMMONS, imageAddress } from '../../core/commons/image-address.ts'
import { imageProperties } from '../../core/commons/image-properties.ts'
import type { EntryResult } from '../../db/results.repo.ts'

/**
 * Names of pictures become addresses; what is no name of a file stays as it is.
 * @param properties that are exported
 * @param widthPx of the pictures
 */
export function withImageAddresses<Row extends EntryResult>(
  result: Row,
  properties: readonly string[],
  widthPx: number,
): Row {
  const { held } = result
  if (held === null) return result
  const changed = imageProperties(properties).flatMap((property) => {
    const values = held[property]?.map((value) =>
      typeof value === 'string' ? (imageAddress(value, COMMONS, widthPx) ?? value) : value,
    )
    return values === undefined ? [] : [[property, values] as const]
  })
  return { ...result, held: { ...held, ...Object.fromEntries(changed) } }
}
