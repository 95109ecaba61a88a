/** What a person can do about records that failed of the same. */

export interface WayOut {
  readonly advice: string
  /** Commands, the best first. */
  readonly next: readonly string[]
}

type Step = 'explain' | 'retry' | 'skip' | 'limits'

interface Advice {
  readonly text: string
  readonly steps: readonly Step[]
}

const fromOutside: Advice = {
  text: 'Its task was ended from outside; nothing is wrong with these records.',
  steps: ['retry'],
}
const refused: Advice = {
  text: 'The service refuses this question for good. Look at the record: mend it and import it again, or set it aside.',
  steps: ['explain', 'skip'],
}
const defect: Advice = {
  text: 'A defect of this program; the log of the worker says more.',
  steps: ['retry', 'skip'],
}
const askedOften: Advice = {
  text: 'The service failed as often as a question may be asked (--max-attempts).',
  steps: ['retry', 'explain'],
}

const byCode: Readonly<Record<string, Advice>> = {
  poison: {
    text: 'It killed the process that scored it, three times. Its neighbours are done. Look at the record, or set it aside.',
    steps: ['explain', 'skip', 'retry'],
  },
  domain_unavailable: {
    text: 'The service answered nobody for too long (--give-up-after). Look whether it is back.',
    steps: ['limits', 'retry'],
  },
  terminated: fromOutside,
  timed_out: fromOutside,
  task_cancelled: fromOutside,
  bad_request: refused,
  rejected: refused,
  too_large: refused,
  uri_too_long: refused,
  blank_query: refused,
  internal_error: defect,
}

/** @param entry id of an example */
export function wayOut(projectId: number, code: string, entry: string): WayOut {
  const { text, steps } = byCode[code] ?? askedOften
  const commands: Readonly<Record<Step, string>> = {
    explain: `./record-linker explain --project ${projectId} --entry ${shellWord(entry)}`,
    retry: `./record-linker retry-failed --project ${projectId} --code ${shellWord(code)}`,
    skip: `./record-linker skip --project ${projectId} --code ${shellWord(code)}`,
    limits: './record-linker limits',
  }
  return { advice: text, next: steps.map((step) => commands[step]) }
}

/** A command is there to be copied, and an id can be any text. */
function shellWord(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
