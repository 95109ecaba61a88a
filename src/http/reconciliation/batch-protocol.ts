/** How a version of the API carries a batch: the seam where another version goes in. */
import type { CandidateList } from '../../core/matching/candidate.ts'
import type { LookupQuery } from '../../core/matching/lookup-query.ts'

export interface BatchRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LookupAnswer {
  readonly list: CandidateList
  /** What the service sent for this lookup, as JSON; null when longer than 256 KiB. */
  readonly rawJson: string | null
}

export interface BatchReading<Answer = LookupAnswer> {
  /** In the order of the queries; null where the service gave that query no usable answer. */
  readonly answers: readonly (Answer | null)[]
  readonly warnings: readonly string[]
}

export interface BatchProtocol {
  /** Where batches go, given the endpoint, which is where the manifest is. */
  address(endpoint: string): string
  /** @param address Where it goes: of `address`, or where a redirect led from there. */
  encode(address: string, queries: readonly LookupQuery[]): BatchRequest
  /**
   * At least one of the answers is not null.
   * @throws OutsideCallError `malformed_answer` (transient) when not one query has a usable answer,
   *   `manifest_instead_of_answer` (endpoint).
   */
  read(bodyText: string, queries: readonly LookupQuery[]): BatchReading
}
