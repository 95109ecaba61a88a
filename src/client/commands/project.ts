import { type Command, Option } from 'commander'
import { UsageError } from '../../errors.ts'
import { projectId } from '../known-project.ts'
import { addMappingFlags, type MappingFlags } from '../mapping/mapping-flags.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface ProjectFlags extends MappingFlags {
  readonly project: number
  readonly service?: string
  readonly title?: string
  readonly about?: string
  readonly output: OutputFormat
}

export interface NewProjectFlags extends Omit<ProjectFlags, 'project'> {
  readonly dataset: string
  readonly service: string
  readonly after?: number
  readonly on?: readonly string[]
}

const OUTCOMES = ['no_candidate', 'review', 'skipped', 'none_fits', 'not_in_wikidata', 'failed']

/** Adds `project create|list|show|set|delete|dump|load`. */
export function register(program: Command): void {
  const project = program
    .command('project')
    .summary('what to match in a dataset, and how')
    .description('A project says which cells of a dataset are names and evidence, and whom to ask.')
  addCreate(project)
  project
    .command('list')
    .description('Lists all projects.')
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker project list -o json')
    .action(async ({ output }: { output: OutputFormat }) => {
      const { listAllProjects } = await import('../projects/list-projects.ts')
      await listAllProjects(output)
    })
  addId(project.command('show').description('Shows the settings and results of a project.'))
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker project show 124\n  ./record-linker project show 124 -o json | jq .mapping > mapping.json',
    )
    .action(async (id: number | undefined, flags: ProjectFlags) => {
      const { showProject } = await import('../projects/show-project.ts')
      await showProject(withId(id, flags))
    })
  addSet(project)
  addMoves(project)
  addId(
    project
      .command('delete')
      .description(
        'Deletes a project with its runs, decisions, judgments, and the answers no other project uses. Its dataset stays.',
      ),
  )
    .option('--yes', 'do not ask')
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker project delete 124 --yes')
    .action(async (id: number | undefined, flags: ProjectFlags & { yes?: true }) => {
      const { removeProject } = await import('../projects/remove-project.ts')
      await removeProject(withId(id, flags))
    })
}

/** The number of a project, bare or as `--project`. */
function addId(command: Command): Command {
  return command
    .argument('[id]', 'number of the project', projectId)
    .option('--project <id>', 'the same', projectId)
}

function withId<Flags extends { readonly project?: number }>(
  id: number | undefined,
  flags: Flags,
): Flags & { readonly project: number } {
  const project = id ?? flags.project
  if (project !== undefined) return { ...flags, project }
  throw new UsageError({
    code: 'no_project',
    message: 'It is not said which project.',
    hint: 'Give its number; see which there are with: ./record-linker project list',
  })
}

function addMoves(project: Command): void {
  project
    .command('dump')
    .description(
      'Writes a project to a file, to be loaded elsewhere: its records, settings, answers, decisions and judgments.',
    )
    .argument('<id>', 'number of the project', projectId)
    .argument('<file>', 'file to write')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Schedules, limits, commands at the end of runs, downloads and the log of requests stay here.

Example: ./record-linker project dump 124 shops.dump.jsonl`,
    )
    .action(async (id: number, file: string, { output }: { output: OutputFormat }) => {
      const { dumpProjectCommand } = await import('../dump/dump-project.ts')
      await dumpProjectCommand({ project: id, file, output })
    })
  project
    .command('load')
    .description('Reads a dumped project as a new one; nothing is asked again for it.')
    .argument('<file>', 'file of project dump')
    .option('--dataset <name>', 'what to call its dataset (default: as it was)')
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker project load shops.dump.jsonl')
    .action(async (file: string, flags: { dataset?: string; output: OutputFormat }) => {
      const { loadProjectCommand } = await import('../dump/load-project.ts')
      await loadProjectCommand({ file, ...flags })
    })
}

function addCreate(project: Command): void {
  const create = project
    .command('create')
    .description('Makes a project and prints its number.')
    .requiredOption('--dataset <name>', 'dataset to match; see: dataset list')
    .requiredOption(
      '--service <service>',
      'whom to ask: the address of a W3C reconciliation service, "wikidata" or "sample"',
    )
  addMappingFlags(create)
    .option('--title <text>', 'what to call it (default: the name of the dataset)')
    .option('--about <text>', 'what it is, in a sentence')
    .option('--after <id>', 'match only what this project of the same dataset left over', projectId)
    .addOption(
      new Option('--on <outcome...>', 'with --after: what counts as left over').choices(OUTCOMES),
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The mapping that was given at the import is the default; see "import --help" for its full form.

Examples:
  ./record-linker project create --dataset brands --service http://127.0.0.1:8001 --name name
  ./record-linker project create --dataset painters --service https://example.org/reconcile \\
    --name '{first} {last}' --property P569=born --type Q5 --kind person --language nl,en`,
    )
    .action(async (flags: NewProjectFlags) => {
      const { createNewProject } = await import('../projects/create-new-project.ts')
      await createNewProject(flags)
    })
}

function addSet(project: Command): void {
  const set = addId(
    project
      .command('set')
      .description(
        'Changes settings. Records decided under the old ones are decided again by the next start, judged ones are not.',
      ),
  ).option('--service <service>', 'whom to ask')
  addMappingFlags(set)
    .option('--title <text>', 'what to call it')
    .option('--about <text>', 'what it is, in a sentence')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
What is not mentioned stays. --variant, --property and --type replace the list there was.

Example: ./record-linker project set 124 --threshold match=85 --language de,en`,
    )
    .action(async (id: number | undefined, flags: ProjectFlags) => {
      const { changeProject } = await import('../projects/change-project.ts')
      await changeProject(withId(id, flags))
    })
}
