/**
 * Reads names as library catalogues file them: `Boudin, Eugène, 1824-1898, artist`. The family name stands first, then
 * given names, titles and suffixes, dates, roles.
 */
export interface LibraryHeading {
  /** In natural order, with a suffix such as `Jr.` or `II` at the end: `Eugène Boudin`. */
  readonly name: string
  /** Years as text; undefined where the heading has none. */
  readonly born: string | undefined
  readonly died: string | undefined
  /** What it says beyond name and dates: `artist`. */
  readonly roles: readonly string[]
}

const SUFFIX =
  /^(?:jr|sr|junior|senior|the (?:elder|younger)|[ivx]{1,4}|der (?:ältere|jüngere)|l[’']a[iî]né|le jeune)\.?$/i
const DATES =
  /^(?:(?:ca?|circa|approximately)\.? ?)?(\d{3,4})\??\s*[-–—]\s*(?:(?:ca?|circa|approximately)\.? ?)?(\d{3,4})?\??\.?$/i
const BORN = /^(?:b|born|geb|né|née|\*)\.? ?(?:ca?\.? ?)?(\d{4})\??\.?$/i
const DIED = /^(?:d|died|gest|†)\.? ?(?:ca?\.? ?)?(\d{4})\??\.?$/i
const MOST_PARTS = 8

/** @returns null for a name without a comma, or one that leaves no name before or after it. */
export function readLibraryHeading(text: string): LibraryHeading | null {
  const parts = text
    .split(/[,،，]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const [family = '', ...rest] = parts
  if (rest.length === 0 || parts.length > MOST_PARTS) return null
  const suffixes: string[] = []
  const roles: string[] = []
  let given: string | undefined
  let born: string | undefined
  let died: string | undefined
  for (const part of rest) {
    const dates = DATES.exec(part)
    if (SUFFIX.test(part)) suffixes.push(part)
    else if (dates !== null) [, born, died] = dates
    else if (BORN.test(part)) born = BORN.exec(part)?.[1]
    else if (DIED.test(part)) died = DIED.exec(part)?.[1]
    else if (given === undefined && !/\d/.test(part)) given = part
    else roles.push(part)
  }
  const isLater = born !== undefined || died !== undefined
  if (given === undefined && suffixes.length === 0 && !isLater) return null
  return { name: [given, family, ...suffixes].filter(Boolean).join(' '), born, died, roles }
}
