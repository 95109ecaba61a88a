import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from './config.ts'

const manifest = z.object({ version: z.string() })

/** Version of this program, from package.json. */
export const productVersion = manifest.parse(
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')),
).version
