import type { Lab } from './origin/lab.ts'

/** Records of a project that have no decision. */
export async function countUndecided(lab: Pick<Lab, 'db'>, project: number): Promise<number> {
  const { count } = await lab.db
    .selectFrom('result')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', project)
    .where('status', '!=', 'COMPLETED')
    .executeTakeFirstOrThrow()
  return count
}
