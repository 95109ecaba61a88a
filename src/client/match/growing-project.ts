/** Weighs the decided records of a project behind what else is done, so that nobody waits for all of them. */
import { setImmediate as others } from 'node:timers/promises'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { readRescorable } from '../../db/rescorable-entries.repo.ts'
import { type WeighedEntry, weighEntry, type WeighedProject } from './weighed-project.ts'

/** So many are kept, of some 160 MB; they are weighed in a minute, and concluded from in a tenth of a second. */
const MOST_WEIGHED = 100_000
/** Then others have a turn: after some milliseconds. */
const IN_ONE_TURN = 8
/** Their answers come at once, some hundred kilobytes to be parsed. */
const IN_ONE_PAGE = 200

export interface GrowingProject {
  /** As far as it is weighed. */
  readonly soFar: () => WeighedProject
  /** Fulfilled when nothing more is weighed, also since it was stopped; rejected when that failed. */
  readonly ended: Promise<void>
  readonly stop: () => void
}

/** Asks nobody and writes nothing. @param most so many are weighed; default 100,000 */
export function growProject(db: Db, project: Project, most: number = MOST_WEIGHED): GrowingProject {
  const { settings } = project
  const stopping = new AbortController()
  const entries: WeighedEntry[] = []
  let isPart = true
  let isGrowing = true
  const grow = async (): Promise<void> => {
    let isMore = false
    await readRescorable(
      db,
      project,
      async (page) => {
        stopping.signal.throwIfAborted()
        for (const entry of page) {
          if (entries.length === most) isMore = true
          else entries.push(weighEntry(entry, settings))
          if (entries.length % IN_ONE_TURN === 0) await others(undefined, stopping)
        }
      },
      { most: most + 1, rowsPerPage: IN_ONE_PAGE },
    )
    isPart = isMore
  }
  const ended = grow()
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    .finally(() => {
      isGrowing = false
    })
  return {
    soFar: () => ({ settings, entries, isPart, isGrowing }),
    ended,
    stop: () => stopping.abort(),
  }
}
