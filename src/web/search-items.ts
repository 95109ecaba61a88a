/** Items by name, for a person at a page: through a worker and the limiter of the service, before what runs ask. */
import { itemUrl } from '../client/review/item-url.ts'
import { checkContact } from '../client/match/plan-start.ts'
import { askForItems } from '../client/suggest/ask-for-items.ts'
import { forgetSearch, keepSearch } from '../db/item-searches.repo.ts'
import type { Project } from '../db/projects.repo.ts'
import { findService } from '../db/services.repo.ts'
import { ProblemError } from './problem.ts'
import { matchContext, type WebContext } from './web-context.ts'

export interface FoundItem {
  readonly id: string
  readonly name: string | null
  readonly description: string | null
  /** Of its page; '' where there is none. */
  readonly url: string
}

const LONGEST = 200

/** @throws ProblemError `nothing_to_search`; UsageError `contact_required`; UnavailableError `service_not_answering` */
export async function searchByName(
  context: WebContext,
  project: Project,
  text: string,
): Promise<readonly FoundItem[]> {
  // PostgreSQL keeps no NUL in a text.
  const name = text.replaceAll('\0', ' ').trim().slice(0, LONGEST)
  if (name === '') {
    throw new ProblemError(422, {
      code: 'nothing_to_search',
      detail: 'There is nothing to search for; expected a name.',
    })
  }
  const match = await matchContext(context)
  checkContact(match, project, { rescore: false })
  const { db, taskQueue } = context
  const searchId = await keepSearch(db, project.id, name)
  try {
    const { items } = await askForItems({ client: match.client, taskQueue }, searchId)
    const service = await findService(db, project.settings.service)
    return items.map((item) => ({ ...item, url: itemUrl(item.id, service) }))
  } finally {
    await forgetSearch(db, searchId)
  }
}
