export interface PageLink {
  readonly target: string
  /** Small letters. */
  readonly rels: readonly string[]
  /** Media type. */
  readonly type: string | undefined
}

/** The links of a `Link` header (RFC 8288). */
export function linksOf(header: string): readonly PageLink[] {
  // A comma between links is followed by an address in brackets; one inside an address is not.
  return header.split(/,(?=\s*<)/).flatMap((part) => {
    const [, target, parameters = ''] = /^\s*<([^>]*)>(.*)$/s.exec(part) ?? []
    if (target === undefined) return []
    const parameter = (name: string) =>
      new RegExp(`;\\s*${name}\\s*=\\s*"?([^";]*)"?`, 'i').exec(parameters)?.[1]?.trim()
    return [
      {
        target: target.trim(),
        rels: (parameter('rel') ?? '').toLowerCase().split(/\s+/),
        type: parameter('type')?.toLowerCase(),
      },
    ]
  })
}
