/** Pictures of candidates, served from here: a browser that reviews asks no other machine. */
import { checkContact } from '../client/match/plan-start.ts'
import { pictureStore } from '../client/review/picture-store.ts'
import { askForPicture } from '../client/suggest/ask-for-items.ts'
import { WIKIDATA_SERVICE } from '../core/wikidata/wikidata-service.ts'
import type { Picture } from '../core/picture.ts'
import type { Project } from '../db/projects.repo.ts'
import { UnavailableError } from '../errors.ts'
import { matchContext, type WebContext } from './web-context.ts'

/** Where items have pictures, and their files a place. */
export function hasPictures({ settings }: Project): boolean {
  return settings.service === WIKIDATA_SERVICE
}

const FRESH_S = 3_600

export function pictureServer(context: WebContext) {
  const { config, taskQueue, artifacts } = context
  const read = pictureStore(config, artifacts)
  return async (project: Project, item: string): Promise<Response> => {
    if (!hasPictures(project)) return noPicture()
    const match = await matchContext(context)
    checkContact(match, project, { rescore: false })
    let picture: Picture | null
    try {
      picture = await askForPicture(
        { client: match.client, taskQueue },
        { projectId: project.id, item },
      )
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      return drawn('could not be asked', 503)
    }
    const content = picture === null ? undefined : await read(picture)
    if (picture === null || content === undefined) return noPicture()
    return new Response(content, {
      headers: {
        'Content-Type': picture.type,
        'Content-Length': String(picture.bytes),
        'Cache-Control': `private, max-age=${FRESH_S}`,
      },
    })
  }
}

function noPicture(): Response {
  return drawn('no picture', 200)
}

function drawn(text: string, status: 200 | 503): Response {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="250" height="60"><text x="125" y="34" text-anchor="middle" font-family="sans-serif" font-size="14" fill="#808890">${text}</text></svg>`
  return new Response(drawing, {
    status,
    headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' },
  })
}
