import type { Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { isLoopback } from '../../http/loopback.ts'
import type { CommandContext } from '../command-context.ts'
import { serviceAddress, type ServicePlaces } from './service-address.ts'

interface ContactContext extends ServicePlaces {
  readonly config: Pick<CommandContext['config'], 'wikidataUrl' | 'contact'>
  readonly stack: Pick<CommandContext['stack'], 'sampleServiceUrl' | 'webUiUrl'>
}

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
  context: ContactContext,
  { id, settings }: AskingProject,
): UsageError | null {
  if (context.stack.webUiUrl === undefined || context.config.contact !== undefined) return null
  const address = serviceAddress(settings.service, context)
  if (address === undefined || isLoopback(new URL(address))) return null
  return new UsageError({
    code: 'contact_required',
    message: `Project ${id} asks ${new URL(address).host}, which is not on this machine; that needs a contact of yours, and none is set.`,
    hint: 'Set it and start the servers anew:\n  export RECORD_LINKER_CONTACT=you@example.org\n  ./record-linker down\n  and the same command again.',
  })
}
