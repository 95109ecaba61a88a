/** The API against its own document: Schemathesis sends what the document allows, and what it does not. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { obtainSchemathesis } from '../../../scripts/set-up/schemathesis.mjs'
import { loadConfig } from '../../../src/config.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { UnavailableError } from '../../../src/errors.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { type ServedWeb, serveWeb } from '../../../src/web/serve-web.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { obtainingLimitMs } from '../../support/python-peers.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

/** Requests of each operation, beside those that try the bounds of each parameter. */
const EXAMPLES = 8
const SEED = 20_261_129
const PATIENCE_MS = 600_000
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
]

/** 503 is an answer, not a defect: it says which server is away. */
const settings = '[checks]\nnot_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]\n'

let database: TempDatabase
let db: Db
let web: ServedWeb
let folder: string
let project: number
const logged: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-schemathesis-'))
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  const made = await createTestProject(
    db,
    'sample',
    ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `Name of ${id}` })),
  )
  project = made.id
  await refreshSubjects(db, { ...made, revision: 1 })
  await decideRecord(db, project, 'a', 'review', [scoredCandidate('Q1', { score: 88 })])
  await decideRecord(db, project, 'b', 'matched', [scoredCandidate('Q2', { score: 97 })])
  web = await serveWeb({
    config: loadConfig({}),
    stack: {
      temporalAddress: '127.0.0.1:1',
      temporalNamespace: 'default',
      databaseUrl: database.url,
      home: folder,
    },
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    log: (line) => logged.push(line),
    // What needs Temporal is answered with 503, as the document says.
    connect: () =>
      Promise.reject(
        new UnavailableError({
          code: 'temporal_unreachable',
          message: 'No Temporal server answers.',
        }),
      ),
  })
  await obtainSchemathesis()
}, obtainingLimitMs)

afterAll(async () => {
  await web.close()
  await db.destroy()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['whatever the document allows and forbids', ''],
  [
    'of a project and a record that there are',
    `[parameters]\n"path.project" = PROJECT\n"path.entry" = "a"\n`,
  ],
])(
  'answers every request as its document says: %s',
  async (_, parameters) => {
    const config = join(folder, 'schemathesis.toml')
    writeFileSync(config, `${parameters.replace('PROJECT', String(project))}${settings}`)
    const { code, output } = await schemathesis(
      ['--config-file', config],
      [
        'run',
        `${web.url}/openapi.json`,
        '--checks',
        checks.join(','),
        '--mode=all',
        '--phases=examples,coverage,fuzzing',
        `--max-examples=${EXAMPLES}`,
        `--seed=${SEED}`,
        '--generation-deterministic',
        '--suppress-health-check=all',
        '--continue-on-failure',
      ],
    )
    expect(code, `${output}\n${logged.join('\n')}`).toBe(0)
    expect(output).toMatch(/\d+ generated/)
  },
  PATIENCE_MS,
)

async function schemathesis(
  before: readonly string[],
  args: readonly string[],
): Promise<{ readonly code: number | string | null; readonly output: string }> {
  const program = await obtainSchemathesis()
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: folder }
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }
    execFile(program, ['--no-color', ...before, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? null), output: stdout + stderr }),
    )
  })
}
