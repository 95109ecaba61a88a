import { runFakeKeeper } from './run-fake-keeper.ts'

await runFakeKeeper('./broken-worker.ts')
