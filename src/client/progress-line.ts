import { clearLine, cursorTo } from 'node:readline'

/** One line of progress: rewritten in place on a terminal, printed at once and every 10 s elsewhere, unless it is the same still. Always on stderr. */
export interface ProgressLine {
  /** The latest state; shown now on a terminal, else when it is new and 10 s have passed since the last line. */
  show(text: string): void
  /** A line that stays, above the live one. */
  note(text: string): void
  /** Takes the live line away. */
  end(): void
}

const PLAIN_INTERVAL_MS = 10_000
const FALLBACK_COLUMNS = 80

export function createProgressLine(
  stream: NodeJS.WriteStream = process.stderr,
  nowMs: () => number = Date.now,
): ProgressLine {
  return stream.isTTY ? liveLine(stream) : plainLines(stream, nowMs)
}

function liveLine(stream: NodeJS.WriteStream): ProgressLine {
  let shown = ''
  const erase = () => {
    if (shown === '') return
    cursorTo(stream, 0)
    clearLine(stream, 0)
    shown = ''
  }
  const draw = (text: string) => {
    shown = text.slice(0, (stream.columns || FALLBACK_COLUMNS) - 1)
    stream.write(shown)
  }
  return {
    show(text) {
      erase()
      draw(text)
    },
    note(text) {
      const live = shown
      erase()
      stream.write(`${text}\n`)
      if (live !== '') draw(live)
    },
    end: erase,
  }
}

function plainLines(stream: NodeJS.WriteStream, nowMs: () => number): ProgressLine {
  let printedAtMs = -Infinity
  let printed = ''
  return {
    show(text) {
      if (text === printed || nowMs() - printedAtMs < PLAIN_INTERVAL_MS) return
      printedAtMs = nowMs()
      printed = text
      stream.write(`${text}\n`)
    },
    note(text) {
      stream.write(`${text}\n`)
    },
    end: () => undefined,
  }
}
