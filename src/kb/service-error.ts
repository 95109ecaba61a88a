import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A request that is answered with an error. `details` is data for programs: which query, which limit. */
export class ServiceError extends Error {
  readonly status: ContentfulStatusCode
  readonly details: unknown

  constructor(status: ContentfulStatusCode, message: string, details: unknown = null) {
    super(message)
    this.status = status
    this.details = details
  }

  /** The body of the answer, in the shape reconciliation services use for errors. */
  body(): { readonly status: 'error'; readonly message: string; readonly details: unknown } {
    return { status: 'error', message: this.message, details: this.details }
  }
}
