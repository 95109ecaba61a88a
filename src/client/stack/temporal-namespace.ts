import { Connection } from '@temporalio/client'
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import { temporalProfile } from '../../temporal-profile.ts'

/** How long closed workflows stay visible in the Web UI; the dev server's own default is one day. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000

const CONNECT_LIMIT_MS = 2000
const ANSWER_LIMIT_MS = 10_000

const { IndexedValueType } = proto.temporal.api.enums.v1

/** Shown and filtered by people in the Web UI; nothing of ours reads them back (CONTRACTS). */
const searchAttributes = {
  RecordLinkerProject: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  RecordLinkerStatus: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
}

/**
 * Makes the namespace of an embedded server keep closed workflows for 30 days and know our search attributes.
 * @throws when the server does not answer within seconds.
 */
export async function prepareNamespace(address: string, namespace: string): Promise<void> {
  await withConnection(address, async (connection) => {
    await ensureRetention(connection, namespace)
    await addMissingAttributes(connection, namespace)
  })
}

/**
 * Registers the search attributes that the namespace lacks.
 * @returns false when the server refuses: workflows are then started without them.
 * @throws when the server does not answer within seconds.
 */
export function registerSearchAttributes(address: string, namespace: string): Promise<boolean> {
  return withConnection(address, (connection) => addMissingAttributes(connection, namespace))
}

async function withConnection<T>(
  address: string,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({
    ...temporalProfile().options,
    address,
    connectTimeout: CONNECT_LIMIT_MS,
  })
  try {
    return await connection.withDeadline(Date.now() + ANSWER_LIMIT_MS, () => use(connection))
  } finally {
    await connection.close()
  }
}

async function ensureRetention(connection: Connection, namespace: string): Promise<void> {
  const { config } = await connection.workflowService.describeNamespace({ namespace })
  if (tsToMs(config?.workflowExecutionRetentionTtl) === RETENTION_MS) return
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(RETENTION_MS) },
  })
}

async function addMissingAttributes(connection: Connection, namespace: string): Promise<boolean> {
  try {
    const known = await connection.operatorService.listSearchAttributes({ namespace })
    const missing = Object.entries(searchAttributes).filter(
      ([name]) => !(name in known.customAttributes),
    )
    if (missing.length === 0) return true
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    })
    return true
  } catch {
    return false // no permission, or a server without the operator service
  }
}
