/** Of one label: names that people give could be thousands, and each is a series for ever. */
export const MOST_NAMES = 50
export const OTHER_NAMES = 'other'

/** The first names that come keep a label of their own; all the others together are `other`. */
export function boundedLabel(): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.size < MOST_NAMES) known.add(name)
    return known.has(name) ? name : OTHER_NAMES
  }
}
