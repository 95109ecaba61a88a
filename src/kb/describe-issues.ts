import type { z } from 'zod'

/** What a schema found wrong, in one line: `properties.0.v: expected …; limit: …`. */
export function describeIssues(error: z.ZodError, root: string): string {
  return error.issues
    .map(
      ({ path, message }) => `${path.length === 0 ? root : path.map(String).join('.')}: ${message}`,
    )
    .join('; ')
}
