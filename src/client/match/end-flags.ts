/** What a person asks for at the end of a run. */
import { type Command, InvalidArgumentError } from 'commander'
import type { EndAction } from '../../core/end-action.ts'
import type { Db } from '../../db/connect.ts'
import { UsageError } from '../../errors.ts'
import { parseHttpUrl } from '../../http/http-url.ts'
import { isLoopback } from '../../http/loopback.ts'
import type { CommandContext } from '../command-context.ts'

export interface EndFlags {
  readonly onEnd?: string
  readonly webhook?: string
}

const LONGEST = 4_000

/** `--on-end` and `--webhook`. */
export function addEndFlags(command: Command): Command {
  return command
    .option(
      '--on-end <command>',
      'run this in a shell after the run, however it ended; the report comes on stdin as JSON',
      commandLine,
    )
    .option('--webhook <url>', 'POST the report to this address after the run', address)
}

/** Keeps what is asked for, beside the run. @returns its number; null when nothing is asked for */
export async function endActionOf(
  { db, config, stack }: Pick<CommandContext, 'config' | 'stack'> & { readonly db: Db },
  projectId: number,
  { onEnd, webhook }: EndFlags,
): Promise<number | null> {
  if (onEnd === undefined && webhook === undefined) return null
  const isEmbedded = stack.webUiUrl !== undefined
  if (webhook !== undefined && isEmbedded && config.contact === undefined) mayCall(webhook)
  const action: EndAction = {
    command: onEnd === undefined ? null : { line: onEnd, folder: process.cwd() },
    webhook: webhook ?? null,
  }
  // Loaded late: the flags above are part of every `--help`.
  const { keepEndAction } = await import('../../db/end-actions.repo.ts')
  return keepEndAction(db, projectId, action)
}

/** @throws UsageError `contact_required` */
function mayCall(webhook: string): void {
  const url = new URL(webhook)
  if (isLoopback(url)) return
  throw new UsageError({
    code: 'contact_required',
    message: `The webhook is at ${url.host}, which is not on this machine; that needs a contact of yours, and none is set.`,
    hint: 'Set it and start the servers anew:\n  export RECORD_LINKER_CONTACT=you@example.org\n  ./record-linker down',
  })
}

function commandLine(text: string): string {
  if (text.trim() !== '' && text.length <= LONGEST && !text.includes('\0')) return text
  throw new InvalidArgumentError(`expected a command of 1 to ${LONGEST} characters`)
}

function address(text: string): string {
  const url = parseHttpUrl(text)
  if (url !== undefined && url.username === '' && url.password === '' && text.length <= LONGEST) {
    return url.href
  }
  throw new InvalidArgumentError('expected an http or https address without user and password')
}
