import { openLab } from '../origin/lab.ts'
import { type MadeProject, makeDecidedProject } from './made-project.ts'

export interface WebLab extends MadeProject {
  readonly asks: number
  /** Of the pages. */
  readonly url: string
  /** Asks as a browser of "Ann" would. @returns the answer and how long it took, ms */
  readonly ask: (path: string, init?: AskInit) => Promise<Asked>
  readonly close: () => Promise<void>
}

export interface Asked {
  readonly text: string
  readonly ms: number
}

/** What is streamed counts until its first bytes: as a whole it takes as long as the project is large. */
const STREAMED = /\/(export|judgments|events)(\?|$)/

/** PostgreSQL, Temporal and `serve` as a process, with a project in its database. No worker: nothing runs. */
export async function openWebLab(size: {
  readonly records: number
  readonly asks: number
}): Promise<WebLab> {
  const lab = await openLab(1)
  try {
    const made = await makeDecidedProject(lab.db, size.records)
    const serve = lab.start('serve', '--port', '0')
    await serve.until('Ctrl-C ends it')
    const url = serve.stdout().trim()
    return {
      ...made,
      asks: size.asks,
      url,
      ask: (path, init) => ask(`${url}${path}`, init),
      async close() {
        process.kill(serve.mark.pid, 'SIGTERM')
        await serve.ended
        await lab.close()
      },
    }
  } catch (error) {
    await lab.close()
    throw error
  }
}

interface AskInit {
  readonly method?: 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

async function ask(url: string, init: AskInit = {}): Promise<Asked> {
  const beganMs = performance.now()
  const answer = await fetch(url, {
    redirect: 'manual',
    ...init,
    headers: { Cookie: 'record_linker_reviewer=Ann', ...init.headers },
  })
  const text = STREAMED.test(url) && answer.ok ? await firstBytes(answer) : await answer.text()
  const ms = performance.now() - beganMs
  if (answer.status < 400) return { text, ms }
  throw new Error(`${url} was answered by ${answer.status}: ${text}`)
}

async function firstBytes(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return Buffer.from(value ?? []).toString('utf8')
}
