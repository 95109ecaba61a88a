import { runFakeKeeper } from './run-fake-keeper.ts'

await runFakeKeeper('./worker.ts')
