import { bullMq } from './bullmq.ts'
import { dbos } from './dbos.ts'
import { graphileWorker } from './graphile-worker.ts'
import type { Peer } from './peer.ts'
import { pgBoss } from './pg-boss.ts'

export const peers: readonly Peer[] = [dbos, pgBoss, bullMq, graphileWorker]
