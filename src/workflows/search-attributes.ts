import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { upsertSearchAttributes } from '@temporalio/workflow'

export const projectAttribute = defineSearchAttributeKey(
  'RecordLinkerProject',
  SearchAttributeType.INT,
)
export const statusAttribute = defineSearchAttributeKey(
  'RecordLinkerStatus',
  SearchAttributeType.KEYWORD,
)

/** For people filtering in the Temporal UI; left out where the server has no such attributes. */
export function showStatus(input: { readonly searchAttributes: boolean }, status: string): void {
  if (input.searchAttributes) upsertSearchAttributes([{ key: statusAttribute, value: status }])
}
