import type { Client } from '@temporalio/client'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { knownProject } from '../known-project.ts'
import type { Stack } from '../stack/stack.ts'

export interface MatchContext {
  readonly config: Config
  readonly client: Client
  readonly db: Db
  readonly stack: Stack
}

/** Opens database and Temporal for one piece of work on matches, and closes them whatever happens. */
export async function withMatchContext<T>(use: (context: MatchContext) => Promise<T>): Promise<T> {
  return withCommandContext((command) => withTemporal(command, use))
}

/** Adds Temporal to what a command works with; its client is a third of the time that a command takes to start. */
export async function withTemporal<T>(
  { config, stack, db }: CommandContext,
  use: (context: MatchContext) => Promise<T>,
): Promise<T> {
  const { connectTemporal } = await import('../temporal-client.ts')
  const temporal = await connectTemporal(stack.temporalAddress, stack.temporalNamespace)
  try {
    return await use({ config, client: temporal.client, db, stack })
  } finally {
    await temporal.close()
  }
}

/**
 * A project by its number; 123 is the sample and made on first use.
 * @throws UsageError `unknown_project`
 */
export async function existingProject(db: Db, projectId: number): Promise<Project> {
  const { ensureSampleProject, SAMPLE_PROJECT_ID } = await import('../sample-project.ts')
  if (projectId === SAMPLE_PROJECT_ID) await ensureSampleProject(db)
  return knownProject(db, projectId)
}

/** Where the Web UI shows a workflow; undefined when Temporal is not ours. */
export function workflowUrl(stack: Stack, workflowId: string): string | undefined {
  if (stack.webUiUrl === undefined) return undefined
  const base = stack.webUiUrl.replace(/\/$/, '')
  return `${base}/namespaces/${stack.temporalNamespace}/workflows/${encodeURIComponent(workflowId)}`
}
