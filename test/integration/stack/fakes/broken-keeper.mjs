import { runFakeKeeper } from './run-fake-keeper.mjs'

await runFakeKeeper('./broken-worker.mjs')
