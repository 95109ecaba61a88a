import type { Artifact } from './artifact.ts'
import type { Resolver } from './resolver.ts'

export interface TemplateAddress {
  /** Of the template. */
  readonly name: string
  readonly url: string
}

/** Addresses of those templates of which every `{field}` is known. */
export function templateAddresses(
  artifact: Artifact,
  templates: Readonly<Record<string, string>>,
): readonly TemplateAddress[] {
  const fields: Readonly<Record<string, string | undefined>> = {
    doi: artifact.doi,
    ...artifact.fields,
  }
  return Object.entries(templates).flatMap(([name, template]) => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
    if (names.some((field) => (fields[field] ?? '') === '')) return []
    const url = template.replace(/\{(\w+)\}/g, (_, field: string) =>
      // A slash is a part of a DOI, and of a path that holds one.
      encodeURIComponent(fields[field] ?? '').replaceAll('%2F', '/'),
    )
    return [{ name, url }]
  })
}

/** Addresses made of an artifact's fields, by the templates of the configuration. */
export function templateResolver(templates: Readonly<Record<string, string>>): Resolver {
  return {
    name: 'template',
    match: (artifact) => templateAddresses(artifact, templates).length > 0,
    async plans(artifact) {
      const { expected, licence } = artifact
      return templateAddresses(artifact, templates).map(({ name, url }) => ({
        resolver: name,
        url,
        ...(expected === undefined ? {} : { expected }),
        ...(licence === undefined ? {} : { licence }),
      }))
    },
  }
}
