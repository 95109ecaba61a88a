/**
 * What the keeper tells each client that follows it, one JSON object per line. A client that comes late gets
 * `keeper`, then everything of the current phase.
 *
 *   keeper, progress…, ready | failed, … progress, stopping, (connection ends when all is down)
 */
import { z } from 'zod'
import { stackAddressesSchema } from './stack.ts'

export const keeperEventSchema = z.discriminatedUnion('event', [
  /** First of all: who speaks. `version`: of this program; `external`: servers it does not run itself. */
  z.object({
    event: z.literal('keeper'),
    home: z.string(),
    pid: z.number(),
    version: z.string(),
    external: z.object({ temporal: z.string().optional(), database: z.string().optional() }),
    /** Whom its worker names when it asks others. */
    contact: z.string().optional(),
    /** How its worker asks Wikidata; the token itself is not told. */
    wikidata: z.object({ url: z.string(), hasToken: z.boolean() }).optional(),
  }),
  z.object({ event: z.literal('progress'), text: z.string() }),
  z.object({ event: z.literal('ready'), addresses: stackAddressesSchema }),
  z.object({
    event: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
  }),
  z.object({ event: z.literal('stopping') }),
])

export type KeeperEvent = z.infer<typeof keeperEventSchema>
export type KeeperIntroduction = KeeperEvent & { readonly event: 'keeper' }

/** Where to reach the keeper of a home; only its owner can read the file. */
export const keeperFileSchema = z.object({
  home: z.string(),
  pid: z.number(),
  identity: z.string(),
  port: z.number(),
  token: z.string(),
})

export type KeeperFile = z.infer<typeof keeperFileSchema>
