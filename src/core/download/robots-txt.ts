/** robots.txt by RFC 9309. Pure. */

/** What a host asks of one kind of robot. */
export type RobotRules = readonly RobotRule[]

interface RobotRule {
  readonly allows: boolean
  /** As it is written, `*` and a `$` at the end included. */
  readonly path: string
}

/** Ours, as groups name it. */
const PRODUCT = 'record-linker'

/** The rules of all groups that name us; where none does, of those for everybody. */
export function robotRules(text: string): RobotRules {
  const groups = readGroups(text)
  const ours = groups.filter(({ agents }) => agents.includes(PRODUCT))
  const meant = ours.length > 0 ? ours : groups.filter(({ agents }) => agents.includes('*'))
  return meant.flatMap(({ rules }) => rules)
}

/** The longest rule that fits decides; of two of one length that which allows. */
export function mayFetch(rules: RobotRules, url: URL): boolean {
  const path = decoded(url.pathname + url.search)
  const fitting = rules.filter((rule) => rule.path !== '' && fits(decoded(rule.path), path))
  const longest = Math.max(0, ...fitting.map((rule) => rule.path.length))
  const last = fitting.filter((rule) => rule.path.length === longest)
  return last.length === 0 || last.some(({ allows }) => allows)
}

interface Group {
  readonly agents: string[]
  readonly rules: RobotRule[]
}

function readGroups(text: string): readonly Group[] {
  const groups: Group[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/i.exec(line) ?? []
    const field = name.toLowerCase()
    const group = groups.at(-1)
    if (field === 'user-agent') {
      const agent = productOf(value)
      if (group !== undefined && group.rules.length === 0) group.agents.push(agent)
      else groups.push({ agents: [agent], rules: [] })
    } else if (field === 'allow' || field === 'disallow') {
      group?.rules.push({ allows: field === 'allow', path: value })
    }
  }
  return groups
}

/** Without what follows the product's name, such as its version. */
function productOf(value: string): string {
  return value.startsWith('*') ? '*' : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase()
}

/** Of a path the spellings with and without percent signs are one. */
function decoded(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (octet) => {
    const code = Number.parseInt(octet.slice(1), 16)
    const isPlain = code > 0x20 && code < 0x7f && !'/%?#*$'.includes(String.fromCharCode(code))
    return isPlain ? String.fromCharCode(code) : octet.toUpperCase()
  })
}

/** Walks once over both, so that no pattern of stars takes long. */
function fits(rule: string, path: string): boolean {
  const isWhole = rule.endsWith('$')
  const parts = (isWhole ? rule.slice(0, -1) : rule).split('*')
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    if (isWhole && index === rest.length - 1) {
      return path.length - part.length >= at && path.endsWith(part)
    }
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !isWhole || at === path.length
}
