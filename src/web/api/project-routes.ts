import { z } from 'zod'
import { ensureSampleProject, SAMPLE_PROJECT_ID } from '../../client/sample-project.ts'
import { knownProject } from '../../client/known-project.ts'
import { mappingSchema } from '../../client/mapping/mapping-file.ts'
import { serviceName } from '../../client/mapping/service-name.ts'
import { makeProject } from '../../client/projects/make-project.ts'
import { projectDetails } from '../../client/projects/project-details.ts'
import { projectFailures } from '../../client/failures/project-failures.ts'
import { listProjects } from '../../db/projects.repo.ts'
import { countProject } from '../../db/run-progress.repo.ts'
import { defineRoute } from '../route.ts'
import { runState } from '../run-state.ts'
import { currentRun } from '../web-context.ts'
import { counts, projectParams, whole } from './api-schemas.ts'
import { runSchema } from './run-schemas.ts'

const chain = z.object({ projectId: whole, outcomes: z.array(z.string()) })

const details = z.object({
  project: whole,
  name: z.string(),
  about: z.string().nullable(),
  dataset: z.string(),
  service: z.string(),
  revision: whole,
  after: chain.nullable(),
  pace: z.unknown(),
  mapping: z.looseObject({}),
  records: counts,
  due: whole,
})

const listed = z.object({
  project: whole,
  name: z.string(),
  dataset: z.string(),
  service: z.string(),
  records: counts,
  run: runSchema.nullable(),
})

const newProject = z.strictObject({
  dataset: z.string().min(1).meta({ description: 'Name of the dataset' }),
  service: z
    .string()
    .min(1)
    .meta({ description: '"wikidata", "sample", or the address of a service' }),
  name: z.string().min(1).max(200).optional(),
  about: z.string().max(2_000).optional(),
  mapping: mappingSchema.optional().meta({ description: 'Over the mapping of the dataset' }),
})

export const projectRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects',
    operationId: 'listProjects',
    tag: 'projects',
    summary: 'All projects with their records and their latest run',
    responses: {
      200: { description: 'By number', schema: z.object({ projects: z.array(listed) }) },
    },
    handle: async ({ context }) => {
      const projects = await Promise.all(
        (await listProjects(context.db)).map(async ({ id, name, datasetName, settings }) => {
          const run = await currentRun(context, id)
          return {
            project: id,
            name,
            dataset: datasetName,
            service: settings.service,
            records: await countProject(context.db, id),
            run: run === undefined ? null : runState(run),
          }
        }),
      )
      return { data: { projects } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects',
    operationId: 'createProject',
    tag: 'projects',
    summary: 'Make a project of a dataset; one with equal settings is taken',
    body: newProject,
    responses: {
      200: { description: 'There was one with these settings', schema: details },
      201: { description: 'Made', schema: details, headers: { Location: 'Of the project' } },
    },
    problems: {
      404: 'unknown_dataset',
      422: 'no_name_column, bad_mapping, bad_service: what to mend is said',
    },
    handle: async ({ context, body }) => {
      const { project, wasThere } = await makeProject(context.db, {
        dataset: body.dataset,
        service: serviceName(body.service),
        title: body.name,
        about: body.about,
        mapping: body.mapping ?? {},
        takesEqual: true,
      })
      return {
        status: wasThere ? 200 : 201,
        data: await projectDetails(context.db, project),
        headers: { Location: `/projects/${project.id}` },
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}',
    operationId: 'getProject',
    tag: 'projects',
    summary: 'A project: settings, records, what the next start would do',
    params: projectParams,
    responses: { 200: { description: 'The project', schema: details } },
    problems: { 404: 'unknown_project' },
    handle: async ({ context, params }) => ({
      data: await projectDetails(context.db, await knownProject(context.db, params.project)),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/sample-project',
    operationId: 'makeSampleProject',
    tag: 'projects',
    summary: 'Make the sample project, number 123, where it is not there yet',
    responses: {
      200: { description: 'The project', schema: details, headers: { Location: 'Of the project' } },
    },
    handle: async ({ context }) => {
      await ensureSampleProject(context.db)
      const project = await knownProject(context.db, SAMPLE_PROJECT_ID)
      return {
        data: await projectDetails(context.db, project),
        headers: { Location: `/projects/${project.id}` },
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/failures',
    operationId: 'listFailures',
    tag: 'projects',
    summary: 'What failed, by code, with an example and the way out',
    params: projectParams,
    responses: {
      200: {
        description: 'The most frequent first',
        schema: z.object({
          failures: z.array(
            z.object({
              code: z.string(),
              count: whole,
              example: z.object({ entry: z.string(), message: z.string().nullable() }),
              advice: z.string(),
              next: z.array(z.string()),
            }),
          ),
        }),
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params }) => {
      const project = await knownProject(db, params.project)
      return { data: { failures: await projectFailures(db, project.id) } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/scores',
    operationId: 'getScores',
    tag: 'projects',
    summary: 'A histogram of best scores, with the thresholds',
    params: projectParams,
    responses: {
      200: {
        description: 'Bars of two points; empty ones are left out',
        schema: z.object({
          thresholds: z.object({ match: z.number(), review: z.number(), lead: z.number() }),
          bars: z.array(
            z.object({ from: whole, matched: whole, review: whole, noCandidate: whole }),
          ),
        }),
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db, scoreBars }, params }) => {
      const project = await knownProject(db, params.project)
      const { thresholds } = project.settings
      return { data: { thresholds, bars: await scoreBars.of(project) } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/types',
    operationId: 'listTypes',
    tag: 'projects',
    summary: 'The commonest types of best candidates, for the filter "type" of records',
    params: projectParams,
    responses: {
      200: {
        description: 'The most frequent first; a record counts for each type of its candidate',
        schema: z.object({
          types: z.array(z.object({ id: z.string(), name: z.string().nullable(), records: whole })),
        }),
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db, types }, params }) => {
      const project = await knownProject(db, params.project)
      return { data: { types: await types.of(project) } }
    },
  }),
]
