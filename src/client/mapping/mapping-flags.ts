import { type Command, Option } from 'commander'
import { entityKinds } from '../../core/project-settings.ts'
import { UsageError } from '../../errors.ts'
import { checkMapping, type MappingChanges, readMappingFile } from './mapping-file.ts'

/** As commander gives them. */
export interface MappingFlags {
  readonly name?: string
  readonly variant?: readonly string[]
  readonly property?: readonly string[]
  readonly type?: readonly string[]
  readonly typeColumn?: string
  readonly matchColumn?: string
  readonly verify?: true
  readonly language?: string
  readonly kind?: string
  readonly candidates?: string
  readonly threshold?: readonly string[]
  readonly mapping?: string
}

export function addMappingFlags(command: Command): Command {
  return command
    .option('--name <column>', "column with the name, or a template: '{first} {last}'")
    .option(
      '--variant <column[:sep]>',
      'column with further names, SEP splits a cell: alias:|; repeatable',
      collect,
    )
    .option(
      '--property <pid=column[:sep]>',
      'evidence that is sent along: P569=born, P625=lat,lon; repeatable',
      collect,
    )
    .option('--type <id...>', 'types asked for, such as Q5')
    .option('--type-column <column>', 'column with the type of each record; wins over --type')
    .option(
      '--match-column <column>',
      'column with items found earlier (Q42, or its address): taken as judged',
    )
    .option('--verify', 'with --match-column: ask for those items again, and decide')
    .option('--language <codes>', 'languages of the names, best first: nl,en')
    .addOption(new Option('--kind <kind>', 'what the records are').choices(entityKinds))
    .option('--candidates <n>', 'candidates asked for per name, 1 to 50')
    .option('--threshold <name=score>', 'match=80, review=35 or lead=10; repeatable', collect)
    .option('--mapping <file>', 'all of this as JSON, and per property kind, use and dateFormat')
}

/**
 * What the flags say; the mapping file first, single flags over it.
 * @returns undefined when none was given
 * @throws UsageError `bad_mapping`, `bad_flag`
 */
export async function mappingChanges(flags: MappingFlags): Promise<MappingChanges | undefined> {
  const given = {
    name: flags.name,
    variants: flags.variant?.map(variantOf),
    properties: flags.property?.map(propertyOf),
    types: flags.type?.flatMap((types) => types.split(',')),
    typeColumn: flags.typeColumn,
    earlier: earlierOf(flags),
    languages: flags.language?.split(',').map((code) => code.trim()),
    kind: flags.kind,
    candidates: flags.candidates === undefined ? undefined : Number(flags.candidates),
    thresholds: flags.threshold && Object.fromEntries(flags.threshold.map(thresholdOf)),
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  const file = flags.mapping === undefined ? {} : await readMappingFile(flags.mapping)
  if (set.length === 0 && flags.mapping === undefined) return undefined
  return { ...file, ...checkMapping(Object.fromEntries(set), 'What the flags say') }
}

function earlierOf({ matchColumn, verify }: MappingFlags) {
  if (matchColumn !== undefined) return { column: matchColumn, use: verify ? 'verify' : 'judge' }
  if (verify === undefined) return undefined
  throw badFlag('--verify', 'expected --match-column COLUMN with it')
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

// A separator has no letter or digit in it, so `dc:title` is a column.
const WITH_SEPARATOR = /^(.+):([^\p{L}\p{N}:]+|:)$/u

function variantOf(flag: string) {
  const [column, separator] = splitSeparator(flag)
  return separator === undefined ? { column } : { column, separator }
}

function propertyOf(flag: string) {
  const [, pid, cells] = /^([^=]+)=(.+)$/u.exec(flag) ?? []
  if (pid === undefined || cells === undefined) {
    throw badFlag(`--property ${flag}`, 'expected PID=COLUMN, such as P569=born')
  }
  const [columns, split] = splitSeparator(cells)
  return {
    pid: pid.trim(),
    columns: columns.split(',').map((column) => column.trim()),
    ...(split === undefined ? {} : { split }),
  }
}

function splitSeparator(flag: string): readonly [string, string | undefined] {
  const match = WITH_SEPARATOR.exec(flag)
  return match === null ? [flag, undefined] : [match[1] ?? '', match[2]]
}

function thresholdOf(flag: string): readonly [string, number] {
  const [, name, value] = /^(match|review|lead)=(\d+(?:\.\d+)?)$/.exec(flag) ?? []
  if (name === undefined) {
    throw badFlag(`--threshold ${flag}`, 'expected match=80, review=35 or lead=10')
  }
  return [name, Number(value)]
}

function badFlag(flag: string, expected: string): UsageError {
  return new UsageError({ code: 'bad_flag', message: `${flag} is not understood; ${expected}.` })
}
