import { Argument, type Command, InvalidArgumentError } from 'commander'
import { domainKey } from '../../core/domain-key.ts'
import { addPolicyFlags, type PolicyFlags } from '../limits/policy-flags.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface DomainFlags {
  readonly output: OutputFormat
}

export interface ListFlags extends DomainFlags {
  readonly top: number
}

export interface PauseFlags extends DomainFlags {
  readonly reason?: string
}

export interface SetFlags extends DomainFlags, PolicyFlags {
  readonly resetToDefault?: true
}

const DOMAIN = 'a host, host:port or address of a page'
const TOP = 50

/** Adds `limits` with `set`, `pause`, `resume` and `reset`. */
export function register(program: Command): void {
  const limits = program
    .command('limits')
    .summary('how fast each domain is asked, and why; change it')
    .description(
      'Shows how fast each domain is asked, what it waits for and how it was answered; with a domain, all about it and its policy.',
    )
    .argument('[domain]', `${DOMAIN} (default: a table of all)`, domainOf)
    .option('--top <n>', 'without a domain: only so many, those asked last', count, TOP)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker limits
  ./record-linker limits www.wikidata.org
  ./record-linker limits set www.wikidata.org --max-rps 2
  ./record-linker limits pause https://example.org/reconcile --reason "maintenance until noon"

Limits of your own also come from a file, limits.json in the home or RECORD_LINKER_LIMITS:
  { "example.org": { "maxRps": 5 }, "*.example.org": { "maxInFlight": 1 } }
A value of "limits set" wins over the file, the file over what is shipped.`,
    )
    .action(async (domain: string | undefined, flags: ListFlags) => {
      if (domain === undefined) {
        const { listLimits } = await import('../limits/list-limits.ts')
        return listLimits(flags)
      }
      const { showDomain } = await import('../limits/show-domain.ts')
      return showDomain(domain, flags)
    })
  defineSet(limits.command('set'))
  definePause(limits.command('pause'))
  defineResume(limits.command('resume'))
  defineReset(limits.command('reset'))
}

function defineSet(command: Command): void {
  addPolicyFlags(withDomain(command))
    .summary('change the policy of a domain, at once and for later')
    .description(
      'Changes the policy of a domain. Running matches follow within seconds; what is not named stays as it is.',
    )
    .option('--reset-to-default', 'first forget all that was set by this command')
    .addHelpText(
      'after',
      `
A value may be "default", to forget what was set, and for some "none", to switch it off.

Examples:
  ./record-linker limits set example.org --max-rps 2 --max-in-flight 1
  ./record-linker limits set example.org --min-spacing-ms 10000
  ./record-linker limits set example.org --strategy fixed --max-rps 0.5
  ./record-linker limits set example.org --max-rps default
  ./record-linker limits set example.org --reset-to-default`,
    )
    .action(async (domain: string, _own: object, command: Command) => {
      const { setPolicy } = await import('../limits/set-policy.ts')
      await setPolicy(domain, command.optsWithGlobals<SetFlags>())
    })
}

function definePause(command: Command): void {
  withDomain(command)
    .summary('send nothing more to a domain until it is resumed')
    .description(
      'Sends nothing more to a domain, whoever asks, until it is resumed. Records wait; nothing fails because of it.',
    )
    .option('--reason <text>', 'shown by limits')
    .addHelpText(
      'after',
      '\nExample:\n  ./record-linker limits pause example.org --reason "they asked us to stop until Monday"',
    )
    .action(async (domain: string, _own: object, command: Command) => {
      const { pauseDomain } = await import('../limits/control-domain.ts')
      await pauseDomain(domain, command.optsWithGlobals<PauseFlags>())
    })
}

function defineResume(command: Command): void {
  withDomain(command)
    .summary('let a paused domain go on')
    .description(
      'Lets a paused domain go on; it also ends a wait the server had asked for. Runs follow within a minute.',
    )
    .addHelpText('after', '\nExample:\n  ./record-linker limits resume example.org')
    .action(async (domain: string, _own: object, command: Command) => {
      const { resumeDomain } = await import('../limits/control-domain.ts')
      await resumeDomain(domain, command.optsWithGlobals<DomainFlags>())
    })
}

function defineReset(command: Command): void {
  withDomain(command)
    .summary('forget what was learned of a domain')
    .description(
      'Forgets the rate found, the breaker and the waits of a domain, as if it had never been asked. Its policy and a pause stay.',
    )
    .addHelpText('after', '\nExample:\n  ./record-linker limits reset example.org')
    .action(async (domain: string, _own: object, command: Command) => {
      const { resetDomain } = await import('../limits/control-domain.ts')
      await resetDomain(domain, command.optsWithGlobals<DomainFlags>())
    })
}

/** Its `-o` is read by `limits`, which has one too; so the actions ask for the options of both. */
function withDomain(command: Command): Command {
  return command
    .addArgument(new Argument('<domain>', DOMAIN).argParser(domainOf))
    .addOption(outputOption())
}

function domainOf(text: string): string {
  try {
    return domainKey(text)
  } catch (error) {
    if (error instanceof TypeError) throw new InvalidArgumentError(error.message)
    throw error
  }
}

function count(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number above 0')
}
