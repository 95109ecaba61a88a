/** How ways to an artifact are found. */
import type { Artifact } from './artifact.ts'
import type { ArtifactPlan } from './artifact-plan.ts'

/** A page or document that a resolver reads, not the artifact itself. */
export interface AskedPage {
  readonly status: number
  /** Where it came from, after redirects. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** What a resolver may ask with; every request has a permit and is noted as an attempt. */
export interface ResolverContext {
  /** @throws what a transfer throws */
  readonly ask: (url: string) => Promise<AskedPage>
}

export interface Resolver {
  readonly name: string
  /** Whether it may know a way; asks nobody. */
  match(artifact: Artifact): boolean
  /** In the order in which they are tried; none: it knows no way. */
  plans(artifact: Artifact, context: ResolverContext): Promise<readonly ArtifactPlan[]>
}
