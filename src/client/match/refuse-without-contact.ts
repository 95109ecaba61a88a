import type { Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { isLoopback } from '../../http/loopback.ts'
import type { MatchContext } from './match-context.ts'

/** Told before the start, where it is known: the worker of an embedded stack has the contact of this environment. */
export function refuseWithoutContact(
  { config, stack }: MatchContext,
  { id, settings }: Project,
): void {
  if (stack.webUiUrl === undefined || config.contact !== undefined) return
  if (!URL.canParse(settings.service) || isLoopback(new URL(settings.service))) return
  throw new UsageError({
    code: 'contact_required',
    message: `Project ${id} asks ${new URL(settings.service).host}, which is not on this machine; that needs a contact of yours, and none is set.`,
    hint: 'Set it and start the servers anew:\n  export RECORD_LINKER_CONTACT=you@example.org\n  ./record-linker down',
  })
}
