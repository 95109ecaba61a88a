import { z } from 'zod'
import { explainEntry } from '../../client/explain/explain-entry.ts'
import { knownProject } from '../../client/known-project.ts'
import { mapRecord } from '../../core/matching/mapped-record.ts'
import { entryStatuses } from '../../db/entry-filter.ts'
import { countEntries, entryPage, type ListedEntry } from '../../db/entry-pages.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { judgedState } from '../../db/review-judgments.repo.ts'
import { entryQueryShape, filterOf } from '../entry-query.ts'
import { cursorText, readCursorText } from '../page-cursor.ts'
import { defineRoute } from '../route.ts'
import { seenText } from '../seen-text.ts'
import { equalTo } from '../review-card.ts'
import { countParam, moment, projectParam, projectParams, whole } from './api-schemas.ts'

const MOST_COUNTED = 100_000

const listed = z.object({
  entry: z.string(),
  name: z.string(),
  status: z.enum(entryStatuses),
  qid: z.string().nullable(),
  best: z
    .object({
      id: z.string(),
      label: z.string().nullable(),
      description: z.string().nullable(),
      score: z.number().nullable(),
      margin: z.number().nullable(),
    })
    .nullable(),
  reason: z.string().nullable(),
  by: z.string().nullable(),
  at: moment.nullable(),
  stale: z.boolean(),
  error: z.object({ code: z.string(), message: z.string().nullable() }).nullable(),
  cells: z.record(z.string(), z.string()),
})

export const entryParams = z.object({
  project: projectParam,
  entry: z.string().min(1).meta({ description: 'Id of the record, as in its file' }),
})

export const entryRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects/{project}/entries',
    operationId: 'listEntries',
    tag: 'records',
    summary: 'Records of a project, filtered, in pages',
    params: projectParams,
    query: z.strictObject({
      ...entryQueryShape,
      limit: countParam(50, 500, 'Records in a page'),
      after: z.string().max(200).optional().meta({ description: '"next" of the page before' }),
    }),
    responses: {
      200: {
        description: 'A page',
        schema: z.object({ entries: z.array(listed), next: z.string().nullable() }),
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params, query }) => {
      const project = await knownProject(db, params.project)
      const entries = await entryPage(db, {
        ...placeOf(project),
        filter: filterOf(query),
        order: query.order ?? 'file',
        after: query.after === undefined ? null : readCursorText(query.after),
        limit: query.limit + 1,
      })
      const shown = entries.slice(0, query.limit)
      const last = shown.at(-1)
      const next = entries.length > query.limit && last !== undefined ? cursorText(last.key) : null
      return { data: { entries: shown.map((entry) => listedData(project, entry)), next } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/entry-count',
    operationId: 'countEntries',
    tag: 'records',
    summary: 'How many records a filter shows',
    params: projectParams,
    query: z.strictObject(entryQueryShape),
    responses: {
      200: {
        description: `The number; counting ends at ${MOST_COUNTED}, of a type that thousands have at 500`,
        schema: z.object({ count: whole, isAll: z.boolean() }),
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params, query }) => {
      const project = await knownProject(db, params.project)
      const request = { ...placeOf(project), filter: filterOf(query) }
      return { data: await countEntries(db, request, MOST_COUNTED) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/entries/{entry}',
    operationId: 'getEntry',
    tag: 'records',
    summary:
      'Everything that is known of a record: questions, candidates with each share, judgments',
    params: entryParams,
    responses: {
      200: {
        description: 'The record; "seen" goes with a judgment of it',
        schema: z.looseObject({
          project: whole,
          entry: z.string(),
          status: z.string(),
          qid: z.string().nullable(),
          seen: z.string().nullable(),
          equal: z
            .object({ count: whole, entries: z.array(z.string()) })
            .meta({ description: 'Other rows that are judged with it; the ids of some' }),
        }),
      },
    },
    problems: { 404: 'unknown_project, unknown_entry' },
    handle: async ({ context: { db }, params }) => {
      const project = await knownProject(db, params.project)
      const explanation = await explainEntry(db, project, params.entry)
      const state = await judgedState(db, project.id, params.entry)
      const seen = state === undefined ? null : seenText(state)
      const equal = await equalTo(db, state)
      return { data: { ...explanation, seen, equal } }
    },
  }),
]

/** What pages of a project's records are asked for with. */
export function placeOf(project: Project) {
  const { match, lead } = project.settings.thresholds
  return { projectId: project.id, datasetId: project.datasetId, thresholds: { match, lead } }
}

function listedData({ settings }: Project, entry: ListedEntry) {
  const { externalId, cells, bestId, bestLabel, bestDescription, score, margin } = entry
  const { status, qid, reason, by, at, stale, errorCode, errorMessage } = entry
  return {
    entry: externalId,
    name: mapRecord(cells, settings).names[0] ?? '',
    status,
    qid,
    best:
      bestId === null
        ? null
        : { id: bestId, label: bestLabel, description: bestDescription, score, margin },
    reason,
    by,
    at,
    stale,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage },
    cells,
  }
}
