import type { Client } from '@temporalio/client'
import { defaultMatchSizes } from '../../core/match-run.ts'
import { matchProjectId } from '../../core/workflow-ids.ts'
import { changePace } from '../../db/pace.repo.ts'
import { setWindowSignal } from '../../workflows/messages.ts'
import type { SetPaceFlags } from '../commands/match-set.ts'
import { printAnswer, say } from '../output.ts'
import { existingProject, withMatchContext } from './match-context.ts'
import { paceText } from './pace-text.ts'
import { isNotFound } from './is-not-found.ts'

/**
 * The command `match set`. What is wanted is written first, so a run that opens meanwhile begins with it; one that is
 * open is told its window. Priority and weight are read by the workers.
 */
export async function runSetPace(flags: SetPaceFlags): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    const project = await existingProject(db, flags.project)
    const { priority, weight } = flags
    const window = flags.window === 'default' ? null : flags.window
    const wanted = {
      ...(window === undefined ? {} : { window }),
      ...(priority === undefined ? {} : { priority }),
      ...(weight === undefined ? {} : { weight }),
    }
    const pace = await changePace(db, project.id, wanted)
    if (pace === undefined) throw new Error(`Project ${project.id} was deleted meanwhile.`)
    const told = window === undefined ? null : await tellRun(client, project.id, window)
    printAnswer(
      flags.output,
      { project: project.id, ...pace, running: told },
      () => `Project ${project.id}: ${paceText(pace)}`,
    )
    if (told === true) say('The running match was told.')
    if (told === false) say('No match is running; the next one begins with it.')
    say(`Follow it: ./record-linker status --project ${project.id}`)
  })
}

/** @returns whether there was a run to tell */
async function tellRun(client: Client, projectId: number, window: number | null): Promise<boolean> {
  try {
    await client.workflow
      .getHandle(matchProjectId(projectId))
      .signal(setWindowSignal, { window: window ?? defaultMatchSizes.window })
    return true
  } catch (error) {
    if (await isNotFound(error)) return false
    throw error
  }
}
