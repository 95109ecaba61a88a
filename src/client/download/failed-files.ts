/** What a person can do about files that failed of the same. */
import { failureKind, isFailureReason } from '../../core/download/failure-reason.ts'
import type { FailedGroup } from '../../db/job-report.repo.ts'

export interface FailedFiles {
  readonly reason: string
  readonly jobs: number
  /** The number of one of them. */
  readonly example: number
  readonly artifact: string
  readonly error: string | null
  readonly advice: string
  /** Commands, in their order. */
  readonly next: readonly string[]
}

const advices: Readonly<Record<string, string>> = {
  'blocked-address':
    'Its address is not a public one. Where you trust it, let its range in (--allow-address) and try again.',
  'blocked-port': 'Its port is not one that files are fetched from; another try ends the same.',
  'not-found': 'The host has no such file; another try ends the same until the address is another.',
  gone: 'The host has taken it away for good.',
  'bad-url': 'Its address is none that can be asked; correct it and import it again.',
  'no-plan': 'Nothing says where it is; give an address and import it again.',
  unauthorised: 'The host wants to know who asks; set credentials for it, then try again.',
  forbidden: 'The host does not give it to us; another try ends the same unless it changes.',
  'robots-refused': 'The host asks programs not to fetch it.',
}

/** @param queue its name */
export function failedFiles(queue: string, group: FailedGroup): FailedFiles {
  const { reason } = group
  const flag = queue === 'default' ? '' : ` --queue ${queue}`
  const show = `./record-linker download show ${group.example}${flag}`
  const retry = `./record-linker download retry-failed --reason ${reason}${flag}`
  const run = `./record-linker download run --drain${flag}`
  if (reason === 'blocked-address') {
    const allow = `${run} --allow-address 10.0.0.0/8`
    return { ...group, advice: advices[reason] ?? '', next: [show, retry, allow] }
  }
  const isFinal = isFailureReason(reason) && failureKind(reason) === 'permanent'
  const advice =
    advices[reason] ??
    (isFinal
      ? 'Another try ends the same unless something changes there.'
      : 'It may pass: try again.')
  return { ...group, advice, next: isFinal ? [show] : [show, retry] }
}

/** `3 not-found, such as 17 (url:https://…): what it said` and what to do. */
export function failedFilesText({ reason, jobs, example, artifact, error, advice }: FailedFiles) {
  const said = error === null ? '' : `: ${error}`
  return `  ${reason}: ${jobs}, such as ${example} (${artifact})${said}\n    ${advice}`
}
