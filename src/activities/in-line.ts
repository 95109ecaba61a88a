/** Somebody who waits for others of the same process. */
export interface Waiting {
  readonly place: number
  /** Ends the wait; whoever calls it takes it out of the line. */
  readonly go: () => void
}

/** Waits at the end of a line, which is left at once where the signal comes first. @throws the reason of the signal */
export function inLine(line: Waiting[], place: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const one: Waiting = {
      place,
      go() {
        signal.removeEventListener('abort', leave)
        resolve()
      },
    }
    const leave = (): void => {
      line.splice(line.indexOf(one), 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    line.push(one)
  })
}
