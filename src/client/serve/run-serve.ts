import type { StackAddresses } from '../stack/stack.ts'
import type { Config } from '../../config.ts'
import type { ServedWeb } from '../../web/serve-web.ts'
import { withCommandContext } from '../command-context.ts'
import type { ReviewFlags, ServeFlags } from '../commands/serve.ts'
import { interrupted } from '../interrupted.ts'
import { knownProject } from '../known-project.ts'
import { say } from '../output.ts'
import { openInBrowser } from './open-in-browser.ts'

/** The command `serve`. */
export async function runServe(flags: ServeFlags): Promise<void> {
  await withCommandContext(async ({ config, stack }) => {
    const end = interrupted()
    const token = flags.token ?? config.webToken
    const web = await serve(config, stack, { ...flags, ...(token === undefined ? {} : { token }) })
    process.stdout.write(`${web.url}\n`)
    // One that was given is in nobody's log.
    if (web.token !== null && token === undefined) say(`Token: ${web.token}`)
    say(`Pages at ${web.url}, API at ${web.url}/openapi.json. Ctrl-C ends it.`)
    await end
    await web.close()
  })
}

/** The command `review`. */
export async function runReview({ project: id, port, open }: ReviewFlags): Promise<void> {
  await withCommandContext(async ({ config, stack, db }) => {
    const project = id === undefined ? undefined : await knownProject(db, id)
    const end = interrupted()
    // A stack in the foreground serves them already.
    const web =
      stack.pagesUrl === undefined
        ? await serve(config, stack, { host: '127.0.0.1', port })
        : undefined
    const base = web?.url ?? stack.pagesUrl ?? ''
    const url = project === undefined ? base : `${base}/p/${project.id}/review`
    process.stdout.write(`${url}\n`)
    if (open && !openInBrowser(url)) say('No browser could be opened; open that address.')
    if (web === undefined) return
    say('Ctrl-C ends it; what was judged is kept.')
    await end
    await web.close()
  })
}

async function serve(
  config: Config,
  stack: StackAddresses,
  { host, port, allowHost = [], token }: ServeFlags,
): Promise<ServedWeb> {
  const { serveWeb } = await import('../../web/serve-web.ts')
  return serveWeb({ config, stack, host, port, allowedHosts: allowHost, token, log: say })
}
