/** Temporal knows no such execution. The class of that is loaded with the client, which a look at a run that is over does without. */
export async function isNotFound(error: unknown): Promise<boolean> {
  const { WorkflowNotFoundError } = await import('@temporalio/client')
  return error instanceof WorkflowNotFoundError
}
