import type { Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { isLoopback } from '../../http/loopback.ts'
import type { CommandContext } from '../command-context.ts'

/** A project, or the part of it that says who is asked. */
interface AskingProject {
  readonly id: number
  readonly settings: Pick<Project['settings'], 'service'>
}

/**
 * Why a start would be refused: another machine is asked, and no contact is set. Known only where the worker is of an
 * embedded stack, which has the contact of this environment.
 * @returns null when nothing is missing
 */
export function missingContact(
  { config, stack }: Pick<CommandContext, 'config' | 'stack'>,
  { id, settings }: AskingProject,
): UsageError | null {
  if (stack.webUiUrl === undefined || config.contact !== undefined) return null
  if (!URL.canParse(settings.service) || isLoopback(new URL(settings.service))) return null
  return new UsageError({
    code: 'contact_required',
    message: `Project ${id} asks ${new URL(settings.service).host}, which is not on this machine; that needs a contact of yours, and none is set.`,
    hint: 'Set it and start the servers anew:\n  export RECORD_LINKER_CONTACT=you@example.org\n  ./record-linker down',
  })
}
