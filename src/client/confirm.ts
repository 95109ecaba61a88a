import { createInterface } from 'node:readline/promises'
import { UsageError } from '../errors.ts'

/**
 * Asks before something is lost. Without a terminal nobody can answer: then `--yes` must have been given.
 * @throws UsageError `not_confirmed`
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return
  if (process.stdin.isTTY) {
    const asking = createInterface({ input: process.stdin, output: process.stderr })
    const answer = await asking.question(`${question} [y/N] `)
    asking.close()
    if (/^y(es)?$/i.test(answer.trim())) return
  }
  throw new UsageError({
    code: 'not_confirmed',
    message: `Nothing was done. ${question}`,
    hint: 'To go ahead without being asked, add --yes.',
  })
}
