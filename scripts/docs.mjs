/** Writes the pages of docs that are made of the code; `npm run check` compares them. */
import { writeGeneratedPages } from './docs/generated-pages.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'
import { setUp } from './set-up/set-up.mjs'

await setUp().then(writeGeneratedPages).catch(exitWithSetUpError)
