/** What only the reconciliation client can say about a service. */
import { OutsideCallError } from '../../errors.ts'
import { badManifest } from './read-manifest.ts'

/** A service that turns every query down has another fault than the queries; the run pauses. */
export function everyQueryRefused(cause: OutsideCallError, count: number): OutsideCallError {
  return new OutsideCallError({
    kind: 'endpoint',
    code: 'every_query_refused',
    message: `The service refused ${count} queries in a row, each asked alone (${cause.code}); expected that to be rare.`,
    hint: 'Check the type, properties and service URL of the project, then resume the run.',
    status: cause.status,
    bodyHead: cause.bodyHead,
    cause,
  })
}

/** What a failed GET of the endpoint means: an answer that is no manifest is a matter of the address. */
export function notAManifest(error: unknown): unknown {
  if (!(error instanceof OutsideCallError)) return error
  const answered =
    error.kind === 'permanent' || ['html_answer', 'service_error'].includes(error.code)
  return answered ? badManifest(error.bodyHead, error) : error
}

/** Never sent: services take an empty query as an error of the whole batch. */
export function blankQuery(): OutsideCallError {
  return new OutsideCallError({
    kind: 'permanent',
    code: 'blank_query',
    message: 'The lookup has an empty name; expected one with at least one visible character.',
  })
}
