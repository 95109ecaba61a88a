import { domainKey } from '../core/domain-key.ts'
import type { ArtifactPlan } from '../core/download/artifact-plan.ts'
import { OutsideCallError } from '../errors.ts'
import { DownloadError } from '../http/download/download-error.ts'
import { type SecurityScheme, withSecret } from '../http/reconciliation/security-scheme.ts'
import { secretFor, type ServiceCredentials } from '../http/reconciliation/service-credentials.ts'

/** `X-Api-Key: secret` */
const header = /^([a-z][a-z\d-]*): (\S.*)$/i
/** Headers that say how a request is read. */
const notTheirs = /^(?:host|connection|content-.*|transfer-encoding|accept-encoding|range|if-.*)$/i

/**
 * The plan with the secret that the operator has set for its host. It goes to the origin of the plan and nowhere else:
 * a redirect to another one drops it.
 * @throws DownloadError `credentials-unencrypted`
 */
export function withCredentials<Plan extends Pick<ArtifactPlan, 'url' | 'headers'>>(
  plan: Plan,
  credentials: ServiceCredentials,
): Plan {
  if (!URL.canParse(plan.url)) return plan
  const secret = secretOf(plan.url, credentials)
  if (secret === undefined) return plan
  const { scheme, value } = schemeOf(secret)
  const { headers } = withSecret({ url: plan.url, headers: plan.headers ?? {} }, scheme, value)
  return { ...plan, headers }
}

function secretOf(url: string, credentials: ServiceCredentials): string | undefined {
  try {
    return secretFor(credentials, url)
  } catch (error) {
    if (!(error instanceof OutsideCallError)) throw error
    throw new DownloadError({
      reason: 'credentials-unencrypted',
      message: `Credentials are set for ${domainKey(url)}, but its address begins with http://; expected https://.`,
      hint: 'Queue it with its https address.',
    })
  }
}

/** No manifest says how a host of files wants it, so its form does. */
function schemeOf(secret: string): { readonly scheme: SecurityScheme; readonly value: string } {
  const [, name, value] = header.exec(secret) ?? []
  if (name !== undefined && value !== undefined && !notTheirs.test(name)) {
    return { scheme: { kind: 'apiKey', in: 'header', name: name.toLowerCase() }, value }
  }
  return { scheme: { kind: secret.includes(':') ? 'basic' : 'bearer' }, value: secret }
}
