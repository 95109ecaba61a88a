import { imageAddress } from '../commons/image-address.ts'
import type { ArtifactPlan } from './artifact-plan.ts'
import { fileInfoAddress, readFileInfo } from './commons-file-info.ts'
import type { Resolver } from './resolver.ts'

/**
 * Files of Wikimedia Commons by their names, with what Commons says of their author and licence.
 * @param commons where the files are, without a slash at the end
 */
export function commonsResolver(commons: string): Resolver {
  return {
    name: 'commons',
    match: ({ commonsFile }) =>
      commonsFile !== undefined && imageAddress(commonsFile, commons) !== undefined,
    async plans({ commonsFile = '', widthPx, expected, licence: given }, { ask }) {
      const original = imageAddress(commonsFile, commons)
      if (original === undefined) return []
      const { text } = await ask(fileInfoAddress(original, commons))
      const { licence: told, bytes, sha1 } = readFileInfo(text)
      const licence = given ?? told
      const common = { resolver: 'commons', ...(licence === undefined ? {} : { licence }) }
      const whole: ArtifactPlan = {
        ...common,
        url: original,
        expected: {
          ...(bytes === undefined ? {} : { bytes }),
          ...(sha1 === undefined ? {} : { digests: [{ algorithm: 'sha1', hex: sha1 }] }),
          ...expected,
        },
      }
      const scaled = widthPx === undefined ? undefined : imageAddress(commonsFile, commons, widthPx)
      if (scaled === undefined) return [whole]
      const picture = { ...common, url: scaled, expected: { types: ['image/*'], ...expected } }
      return [picture, whole]
    },
  }
}
