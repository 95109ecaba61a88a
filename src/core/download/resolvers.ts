import type { Artifact } from './artifact.ts'
import type { AddressOptions } from './artifact-id.ts'
import { commonsResolver } from './resolver-commons.ts'
import { directResolver } from './resolver-direct.ts'
import { doiResolver } from './resolver-doi.ts'
import { templateResolver } from './resolver-template.ts'
import type { Resolver } from './resolver.ts'

/** All that are built in, in the order in which their ways are tried. */
function builtInResolvers(options: AddressOptions): readonly Resolver[] {
  return [
    commonsResolver(options.commons),
    directResolver,
    doiResolver(options.doiResolver),
    templateResolver(options.templates),
  ]
}

/**
 * Those that may know a way to an artifact, in the order in which they are asked.
 * @param hint name of the one that is asked first
 */
export function resolversFor(
  artifact: Artifact,
  hint: string | null,
  options: AddressOptions,
): readonly Resolver[] {
  const matching = builtInResolvers(options).filter((resolver) => resolver.match(artifact))
  return [
    ...matching.filter(({ name }) => name === hint),
    ...matching.filter(({ name }) => name !== hint),
  ]
}
