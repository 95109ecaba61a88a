import type { Client } from '@temporalio/client'
import { type OutputFormat, printAnswer } from '../output.ts'
import { runningExecution } from './running-execution.ts'
import { isNotFound } from './is-not-found.ts'

/** Stops a workflow about the items of a project within seconds. @returns false: none goes on */
export async function stopWorkflow(client: Client, workflowId: string): Promise<boolean> {
  const running = await runningExecution(client, workflowId)
  if (running === undefined) return false
  try {
    await running.cancel()
    await running.handle.result().catch(() => undefined)
    return true
  } catch (error) {
    if (await isNotFound(error)) return false
    throw error
  }
}

/** The flag `--stop` of a command whose workflow is about the items of a project. */
export async function stopAndTell(
  client: Client,
  workflowId: string,
  { project, output }: { readonly project: number; readonly output: OutputFormat },
  texts: { readonly stopped: string; readonly notRunning: string },
): Promise<void> {
  const wasRunning = await stopWorkflow(client, workflowId)
  printAnswer(output, { project, status: wasRunning ? 'stopped' : 'not running' }, () =>
    wasRunning ? texts.stopped : texts.notRunning,
  )
}
