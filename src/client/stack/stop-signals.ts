/** Signals that ask a process to end: Ctrl-C, `kill`, a closed terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls back for each such signal, which then does not end the process. Returns a function that undoes it. */
export function onStopSignals(callback: () => void): () => void {
  for (const name of stopSignals) process.on(name, callback)
  return () => {
    for (const name of stopSignals) process.off(name, callback)
  }
}
