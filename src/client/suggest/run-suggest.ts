import { findKnownProperties } from '../../core/known-properties.ts'
import type { PropertySuggestions, TypeSuggestions } from '../../core/suggestions.ts'
import type { suggestProperties, suggestTypes } from '../../workflows/suggest.ts'
import type { SuggestPropertyFlags, SuggestTypeFlags } from '../commands/suggest.ts'
import { serviceName } from '../mapping/service-name.ts'
import { existingProject, withMatchContext } from '../match/match-context.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { askThroughWorker } from './ask-through-worker.ts'

/** The command `suggest type`. */
export async function runSuggestType(flags: SuggestTypeFlags): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    const project = await existingProject(db, flags.project)
    const { service } = project.settings
    say(`Asking ${service} for ten names of project ${project.id}, drawn at random …`)
    const found = await askThroughWorker((options) =>
      client.workflow.start<typeof suggestTypes>('suggestTypes', {
        ...options,
        args: [{ projectId: project.id }],
      }),
    )
    printAnswer(flags.output, { project: project.id, ...found }, () => typeTable(found))
    typeAdvice(found, project.id).forEach(say)
  })
}

/** The command `suggest property`. */
export async function runSuggestProperty(text: string, flags: SuggestPropertyFlags): Promise<void> {
  const asked = await askedService(text, flags)
  const found =
    asked === null || !asked.isOffered
      ? findKnownProperties(text).map((one) => ({ ...one, description: null }))
      : asked.properties
  const isFromService = asked?.isOffered ?? false
  printAnswer(flags.output, { text, isFromService, properties: found }, () =>
    tableText(
      ['property', 'name', 'description'],
      found.map(({ id, name, description }) => [id, name, description]),
    ),
  )
  if (asked === null)
    say('From the list of well-known properties; --project or --service asks one.')
  if (asked?.isOffered === false) {
    say('The service offers no search of properties; these are well-known ones of Wikidata.')
  }
  const [first] = found
  say(
    first === undefined
      ? `Nothing is called "${text}"; try fewer or other words, in English.`
      : `Use it so: --property ${first.id}=COLUMN`,
  )
}

async function askedService(
  text: string,
  { project: projectId, service }: SuggestPropertyFlags,
): Promise<PropertySuggestions | null> {
  if (projectId === undefined && service === undefined) return null
  return withMatchContext(async ({ client, db }) => {
    const project = projectId === undefined ? undefined : await existingProject(db, projectId)
    const name = service === undefined ? (project?.settings.service ?? '') : serviceName(service)
    return askThroughWorker((options) =>
      client.workflow.start<typeof suggestProperties>('suggestProperties', {
        ...options,
        args: [{ service: name, projectId: projectId ?? 0, text }],
      }),
    )
  })
}

function typeTable({ types, asked }: TypeSuggestions): string {
  return tableText(
    ['type', 'name', `of ${asked} names`, 'candidates'],
    types.map(({ id, name, names, candidates }) => [id, name, names, candidates]),
  )
}

function typeAdvice({ types, asked, failed }: TypeSuggestions, project: number): readonly string[] {
  const [first] = types
  const failures = failed === 0 ? [] : [`${failed} of ${asked} names could not be answered.`]
  if (asked === 0) return ['No record of the project has a name.']
  if (first === undefined) return [...failures, 'None of the candidates found has a type.']
  return [...failures, `Use it so: ./record-linker project set ${project} --type ${first.id}`]
}
