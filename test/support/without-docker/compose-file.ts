/** docker-compose.yml, as far as tests look into it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../../src/config.ts'

export interface ComposeService {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly stop_grace_period?: string
  readonly deploy?: { readonly replicas?: number }
}

export const composeText = readFileSync(join(packageRoot, 'docker-compose.yml'), 'utf8')

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what else it holds, the linter says
export const compose = parse(composeText, { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** @throws when there is none of that name. */
export function composeService(name: string): ComposeService {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`)
  return service
}

/**
 * As with an `.env` of these variables.
 * @throws when one without a default is not among them.
 */
export function filledIn(text: string, variables: Readonly<Record<string, string>>): string {
  const filled = text.replaceAll(
    /(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest = '') => {
      const value = variables[name] ?? (kind === '-' ? rest : undefined)
      if (value !== undefined) return value
      throw new Error(`docker-compose.yml asks for ${name}, expected one of deploy/example.env`)
    },
  )
  return filled.replaceAll('$$', '$')
}
