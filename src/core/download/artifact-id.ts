import { domainKey } from '../domain-key.ts'
import { imageAddress, servedWidthPx } from '../commons/image-address.ts'
import type { Artifact, NewJob } from './artifact.ts'
import { templateAddresses } from './resolver-template.ts'
import type { QueueOptions } from './queue-options.ts'

/** What of a queue's options says where artifacts are asked for. */
export type AddressOptions = Pick<QueueOptions, 'commons' | 'doiResolver' | 'templates'>

const DOI = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S+)$/i

/** A DOI without its `doi:` or address, in small letters, which do not matter in it; undefined: it is none. */
export function plainDoi(text: string): string | undefined {
  return DOI.exec(text.trim())?.[1]?.toLowerCase()
}

export interface JobWish {
  readonly artifact: Artifact
  /** Default: by what it is: its first address, its DOI, its name on Commons. */
  readonly artifactId?: string | undefined
  readonly resolverHint?: string | undefined
  /** Higher ones first; default 0. */
  readonly priority?: number | undefined
}

/** @returns undefined: nothing says where it may be */
export function newJob(wish: JobWish, options: AddressOptions): NewJob | undefined {
  const { artifact, resolverHint = null, priority = 0 } = wish
  const first = firstAddress(artifact, options)
  if (first === undefined) return undefined
  const artifactId = wish.artifactId ?? ownId(artifact, first)
  return { artifactId, artifact, resolverHint, priority, host: domainKey(first) }
}

/** Of the first request that is made for it. */
function firstAddress(artifact: Artifact, options: AddressOptions): string | undefined {
  const { urls = [], commonsFile, doi } = artifact
  if (commonsFile !== undefined) {
    const address = imageAddress(commonsFile, options.commons)
    if (address !== undefined) return address
  }
  const [url] = urls
  if (url !== undefined) return url
  if (doi !== undefined) return `${options.doiResolver}/${doi}`
  return templateAddresses(artifact, options.templates)[0]?.url
}

function ownId({ urls = [], doi, commonsFile, widthPx }: Artifact, first: string): string {
  if (commonsFile !== undefined) {
    const name = decodeURIComponent(new URL(first).pathname.split('/').at(-1) ?? commonsFile)
    return `commons:${name}${widthPx === undefined ? '' : `@${servedWidthPx(widthPx)}`}`
  }
  const [url] = urls
  if (url === undefined && doi !== undefined) return `doi:${doi}`
  const address = new URL(first)
  address.hash = ''
  return `url:${address.href}`
}
