import { runFakeKeeper } from './run-fake-keeper.mjs'

await runFakeKeeper('./worker.mjs')
