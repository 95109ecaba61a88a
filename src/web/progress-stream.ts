/** Progress of a run as server-sent events. */
import { setTimeout as sleep } from 'node:timers/promises'
import { knownRun } from './known-run.ts'
import { ProblemError, toProblem } from './problem.ts'
import { runProgress } from './run-state.ts'
import type { WebContext } from './web-context.ts'

const LOOK_MS = 1_000
/** A look may take so much of the database's time. */
const MOST_SHARE_LOOKING = 0.1
/** Proxies close what is silent for long. */
const HEARTBEAT_MS = 15_000
const MOST_STREAMS = 100

let streams = 0

/** @throws ProblemError `too_many_streams` */
export function progressStream(
  context: WebContext,
  { project, run }: { readonly project: number; readonly run: string },
  leaving: AbortSignal,
): Response {
  if (streams >= MOST_STREAMS) {
    throw new ProblemError(429, {
      code: 'too_many_streams',
      detail: `${MOST_STREAMS} streams are open; no more are served at once.`,
      hint: 'Ask for the progress as JSON now and then.',
    })
  }
  const gone = new AbortController()
  const signal = AbortSignal.any([leaving, gone.signal])
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      streams += 1
      void send(controller).finally(() => (streams -= 1))
    },
    cancel: () => gone.abort(),
  })
  return new Response(stream, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    },
  })

  async function send(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const put = (text: string) => controller.enqueue(Buffer.from(text))
    let last = ''
    let saidAtMs = performance.now()
    try {
      while (!signal.aborted) {
        const beganMs = performance.now()
        const known = await knownRun(context, project, run)
        const progress =
          known === 'starting'
            ? { project, id: run, status: known }
            : await runProgress(context, known)
        const isOver = known !== 'starting' && known.status !== 'open'
        const text = JSON.stringify(progress)
        if (text !== last || isOver) {
          put(`event: ${isOver ? 'end' : 'progress'}\ndata: ${text}\n\n`)
          saidAtMs = performance.now()
        } else if (performance.now() - saidAtMs > HEARTBEAT_MS) {
          put(': still there\n\n')
          saidAtMs = performance.now()
        }
        last = text
        if (isOver) break
        const lookMs = performance.now() - beganMs
        await sleep(Math.max(LOOK_MS, lookMs / MOST_SHARE_LOOKING), undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) put(`event: problem\ndata: ${JSON.stringify(toProblem(error))}\n\n`)
    } finally {
      // Closed already where the reader has gone.
      if (!signal.aborted) controller.close()
    }
  }
}
