import { weightsOf } from '../../core/matching/weights.ts'
import type { OwnWeights } from '../../core/project-settings.ts'
import { reviseSettings } from '../../db/projects.repo.ts'
import { fileSource } from '../../tabular/byte-source.ts'
import { withCommandContext } from '../command-context.ts'
import type { WeightsFitFlags, WeightsFlags } from '../commands/weights.ts'
import { readGold } from '../evaluate/read-gold.ts'
import { knownProject } from '../known-project.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { fitProjectWeights } from './fit-project-weights.ts'

/** Smaller changes are not worth a line, in bits. */
const WORTH_SHOWING = 0.25

/** The command `weights fit`. */
export async function runWeightsFit(flags: WeightsFitFlags): Promise<void> {
  const source = await fileSource(flags.gold)
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const gold = await readGold(source, project.settings.service)
    const { records, prior, bits, lossBefore, lossAfter } = await fitProjectWeights(
      db,
      project,
      gold,
    )
    const version = `project-${project.id}-${project.revision + 1}`
    const weights: OwnWeights = { version, prior, bits }
    if (flags.dryRun !== true)
      await reviseSettings(db, project.id, { ...project.settings, weights })
    const before = weightsOf(project.settings.kind).bits
    const changed = Object.entries(bits)
      .map(([level, weight]) => ({ level, before: before[level] ?? 0, after: weight }))
      .filter((change) => Math.abs(change.after - change.before) >= WORTH_SHOWING)
      .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))
    const answer = { project: project.id, version, records, lossBefore, lossAfter, prior, changed }
    printAnswer(flags.output, answer, () =>
      [
        `project ${project.id}: weights ${version} from ${records} records; surprise ${lossBefore.toFixed(3)} → ${lossAfter.toFixed(3)} bits a record`,
        tableText(
          ['level', 'before', 'after'],
          changed.map((change) => [change.level, change.before, change.after]),
        ),
      ].join('\n'),
    )
    if (flags.dryRun === true) say('Nothing was written.')
    else say(nextLine(project.id))
  })
}

/** The command `weights reset`. */
export async function runWeightsReset(flags: WeightsFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const { weights, ...settings } = project.settings
    if (weights !== undefined) await reviseSettings(db, project.id, settings)
    printAnswer(flags.output, { project: project.id, removed: weights?.version ?? null }, () =>
      weights === undefined
        ? `project ${project.id} has no weights of its own`
        : `project ${project.id}: weights ${weights.version} no longer count`,
    )
    if (weights !== undefined) say(nextLine(project.id))
  })
}

function nextLine(projectId: number): string {
  return `Next, asking nobody: ./record-linker rescore --project ${projectId}`
}
