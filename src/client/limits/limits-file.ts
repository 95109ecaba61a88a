/**
 * The operator's file of limits: `{ "example.org": { "maxRps": 5 }, "*.example.org": { … } }`.
 *
 * Keys are domains as `domainKey` builds them, or `*.` and a domain for all hosts below it; values are fields
 * of `DomainPolicy`. What is wrong is named and left out, the rest is used.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { domainKey } from '../../core/domain-key.ts'
import { defaultPolicy } from '../../core/limiter/policy.ts'
import {
  checkOverride,
  conflictsOf,
  problemText,
  type PolicyOverride,
} from '../../core/limiter/policy-bounds.ts'
import type { PolicyLayer } from '../../core/limiter/policy-layers.ts'
import { fileTroubleText } from '../../file-trouble.ts'

export interface LimitsFile {
  readonly path: string
  readonly entries: readonly LimitsFileEntry[]
  /** Found and expected, one sentence each, path included. */
  readonly problems: readonly string[]
}

export interface LimitsFileEntry {
  /** Domain, or `*.` and a domain. */
  readonly pattern: string
  readonly override: PolicyOverride
}

export interface LimitsPlace {
  readonly path: string
  /** A file somebody named is missed when it is not there. */
  readonly mustExist: boolean
}

const FILE_NAME = 'limits.json'
const anyObject = z.record(z.string(), z.unknown())

export function limitsPlace({
  home,
  limitsFile,
}: Pick<Config, 'home' | 'limitsFile'>): LimitsPlace {
  return { path: limitsFile ?? join(home, FILE_NAME), mustExist: limitsFile !== undefined }
}

/** Never throws: a file that cannot be read is one with a problem and no entries. */
export function readLimitsFile({ path, mustExist }: LimitsPlace): LimitsFile {
  try {
    return parseLimits(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (!mustExist && isMissing(error)) return { path, entries: [], problems: [] }
    return { path, entries: [], problems: [`${path}: ${fileTroubleText(error)}`] }
  }
}

/** @param path only for the problems */
export function parseLimits(text: string, path: string): LimitsFile {
  const parsed = anyObject.safeParse(jsonOf(text))
  if (!parsed.success) {
    const problem = `${path}: found ${foundText(text)}, expected JSON like {"example.org": {"maxRps": 5}}`
    return { path, entries: [], problems: [problem] }
  }
  const entries = new Map<string, PolicyOverride>()
  const problems: string[] = []
  for (const [key, value] of Object.entries(parsed.data)) {
    const tell = (text: string) => problems.push(`${path}, "${key}": ${text}`)
    const pattern = patternOf(key)
    const fields = anyObject.safeParse(value)
    if (pattern === undefined) tell('expected a host, a URL, or *. and a host')
    else if (entries.has(pattern)) tell(`names ${pattern} a second time; the first is used`)
    else if (!fields.success) tell(`found ${foundText(value)}, expected fields like {"maxRps": 5}`)
    else entries.set(pattern, goodPart(pattern, fields.data, tell))
  }
  return {
    path,
    entries: [...entries].map(([pattern, override]) => ({ pattern, override })),
    problems,
  }
}

/** What the file says of a domain, the most specific pattern last. */
export function fileLayers(file: LimitsFile, domain: string): readonly PolicyLayer[] {
  return file.entries
    .filter(({ pattern }) => pattern === domain || isBelow(domain, pattern))
    .sort((a, b) => rank(a) - rank(b))
    .map(({ pattern, override }) => ({ source: `${FILE_NAME}, ${pattern}`, override }))
}

function isBelow(domain: string, pattern: string): boolean {
  return pattern.startsWith('*.') && domain.endsWith(pattern.slice(1))
}

/** The domain itself is more specific than any pattern above it. */
function rank({ pattern }: LimitsFileEntry): number {
  return pattern.startsWith('*.') ? pattern.length : Infinity
}

function goodPart(
  pattern: string,
  fields: Readonly<Record<string, unknown>>,
  tell: (problem: string) => void,
): PolicyOverride {
  const { good, problems } = checkOverride(fields)
  const conflicts = conflictsOf(defaultPolicy(pattern.replace(/^\*\./, '')), good)
  for (const problem of [...problems, ...conflicts]) tell(problemText(problem))
  const bad = new Set(conflicts.map(({ field }) => field))
  return Object.fromEntries(Object.entries(good).filter(([field]) => !bad.has(field)))
}

function patternOf(key: string): string | undefined {
  const isAbove = key.startsWith('*.')
  try {
    const domain = domainKey(isAbove ? key.slice(2) : key)
    if (domain.includes('*')) return undefined
    return isAbove ? `*.${domain}` : domain
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Told by the caller, which shows how the text begins.
    return undefined
  }
}

const SHOWN = 60

function foundText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.trim() === '' ? 'nothing' : JSON.stringify(text.slice(0, SHOWN))
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
