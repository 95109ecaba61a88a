import { change } from './change.ts'
import { kill } from './kill.ts'
import type { Part } from './part.ts'
import { safeMode } from './safe-mode.ts'
import { steady } from './steady.ts'
import { temporalAway } from './temporal-away.ts'
import { twoDomains } from './two-domains.ts'

/** In the order in which they are played. */
export const parts: readonly Part[] = [steady, change, kill, temporalAway, safeMode, twoDomains]
