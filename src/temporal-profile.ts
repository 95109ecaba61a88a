/**
 * How a Temporal server wants to be spoken to: address, namespace, key, certificates, from a profile of Temporal's own
 * configuration file, as its other programs read it.
 */
import { createRequire } from 'node:module'
import type * as Envconfig from '@temporalio/envconfig'
import type { NativeConnectionOptions } from '@temporalio/worker'
import { UsageError } from './errors.ts'

export interface TemporalProfile {
  readonly address: string | undefined
  readonly namespace: string | undefined
  readonly options: Pick<NativeConnectionOptions, 'tls' | 'apiKey' | 'metadata'>
}

type Environment = Readonly<Record<string, string | undefined>>

const NONE: TemporalProfile = { address: undefined, namespace: undefined, options: {} }

/**
 * The profile that TEMPORAL_PROFILE names, of the file that TEMPORAL_CONFIG_FILE names; without both, none is read. Keys and
 * certificates of TEMPORAL_API_KEY and TEMPORAL_TLS_… stand above it.
 * @throws UsageError `bad_temporal_profile`
 */
export function temporalProfile(env: Environment = process.env): TemporalProfile {
  const { TEMPORAL_PROFILE: name, TEMPORAL_CONFIG_FILE: file } = env
  if (!name && !file) return NONE
  try {
    // Loaded here: hardly anybody has a profile, and every command would wait for it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package, by another way
    const { loadClientConnectConfig } = createRequire(import.meta.url)(
      '@temporalio/envconfig',
    ) as typeof Envconfig
    const { connectionOptions, namespace } = loadClientConnectConfig({
      ...(name ? { profile: name } : {}),
      ...(file ? { configSource: { path: file } } : {}),
      configFileStrict: true,
      overrideEnvVars: setOnes(env),
    })
    const { address, tls, apiKey, metadata } = connectionOptions
    return {
      address,
      namespace,
      options: {
        ...(tls === undefined ? {} : { tls }),
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(metadata === undefined ? {} : { metadata }),
      },
    }
  } catch (error) {
    throw new UsageError({
      code: 'bad_temporal_profile',
      message: `The Temporal profile "${name ?? 'default'}"${file ? ` of ${file}` : ''} cannot be used: ${withoutLines(error)}`,
      hint: 'Correct TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE, or unset them; see docs/operations.md.',
    })
  }
}

/** A parser shows the lines around a mistake, and a key may be in them. */
function withoutLines(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const line = error instanceof Error && 'line' in error ? error.line : undefined
  return typeof line === 'number' ? `${first} (line ${line})` : first
}

function setOnes(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  )
}
