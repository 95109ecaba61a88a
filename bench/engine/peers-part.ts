/** The same batches done by other engines, with what they keep on the same PostgreSQL (BullMQ: a Redis of its own). */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { defaultMatchSizes } from '../../src/core/match-run.ts'
import { median } from '../median.ts'
import type { Measure } from '../limiter/stories/story.ts'
import { subjectOf } from '../score/scoring.ts'
import { countUndecided } from '../undecided.ts'
import { BATCH_SIZE, type EngineLab } from './engine-lab.ts'
import { type LoopOptions, perSecond } from './loop-part.ts'
import { peers } from './peers/catalogue.ts'
import type { PlainLoopEnd } from './plain-loop-process.ts'
import { startProgram } from '../program.ts'

export async function measurePeers(
  lab: EngineLab,
  { entries, rounds }: LoopOptions,
): Promise<readonly Measure[]> {
  const measures: Measure[] = []
  for (const { name, missing } of peers) {
    const reason = await missing()
    if (reason !== null) {
      process.stderr.write(`  ${name} is left out: ${reason}\n`)
      continue
    }
    const tookMs: number[] = []
    let undecided = 0
    for (let round = 0; round < rounds; round += 1) {
      const project = await lab.importRecords(entries, subjectOf)
      tookMs.push(await matchBy(lab, name, project))
      undecided += await countUndecided(lab, project)
    }
    measures.push(
      { name, value: perSecond(entries, median(tookMs)), unit: 'records/s' },
      { name: `${name}: without a decision`, value: undecided, unit: '', goal: { atMost: 0 } },
    )
  }
  return measures
}

async function matchBy(lab: EngineLab, peer: string, project: number): Promise<number> {
  const name = `peer_${randomUUID().replaceAll('-', '')}`
  await sql.raw(`create database ${name}`).execute(lab.db)
  const ownUrl = new URL(lab.databaseUrl)
  ownUrl.pathname = `/${name}`
  const { window } = defaultMatchSizes
  const sizes = [`${project}`, `${BATCH_SIZE}`, `${window}`]
  const program = startProgram(new URL('peer-process.ts', import.meta.url), [
    lab.databaseUrl,
    ownUrl.href,
    peer,
    ...sizes,
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own program says nothing else
  const { ms } = (await program.message()) as PlainLoopEnd
  await program.end()
  await sql.raw(`drop database ${name} with (force)`).execute(lab.db)
  return ms
}
