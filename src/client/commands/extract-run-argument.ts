import { type Command, InvalidArgumentError } from 'commander'

/** Adds the number of an extraction as an argument. */
export function withRun(command: Command, name = '<run>'): Command {
  return command.argument(name, 'number of the extraction; see: extract list', runNumber)
}

/** For commander. @throws InvalidArgumentError */
export function runNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected the number of an extraction, such as 3.')
}

/** Names apart by commas or as words of their own; for commander. */
export function words(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').filter((word) => word !== '')]
}
