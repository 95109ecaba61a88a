/** Resolves at the first SIGINT or SIGTERM from now on; a second one ends the process as usual. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
