import { extname } from 'node:path'
import type { StackPrograms } from './stack-parts.ts'

/** Our files are `.ts` in the repository and `.js` in the build. */
const extension = extname(import.meta.url)

/** The worker, the sample service and the pages of this program. */
export const stackPrograms: StackPrograms = {
  worker: new URL(`../../workers/main${extension}`, import.meta.url),
  sampleService: new URL(`./sample-service${extension}`, import.meta.url),
  pages: new URL(`../../web/main${extension}`, import.meta.url),
}

/** What `ensureStack` starts in the background. */
export const keeperEntry = new URL(`./keeper-main${extension}`, import.meta.url)
