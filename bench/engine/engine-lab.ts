/** The servers, one worker and the constant-time service that all parts of a bench share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMatch } from '../../src/client/match/start-match.ts'
import { defaultRunOptions, type RunOptions } from '../../src/core/run.ts'
import { findProject } from '../../src/db/projects.repo.ts'
import { openLab, type Lab, type TemporalStore } from '../origin/lab.ts'
import { importArgs, writeMadeFile } from '../score/made-file.ts'
import { startStubService } from '../score/stub-service.ts'

/** Names asked for in one request. */
export const BATCH_SIZE = 50
const KIND = 'organisation'
const FIRST_PROJECT = 401

export interface EngineLab extends Omit<Lab, 'match'> {
  /** Imports made records into a new project that asks an address of its own. @returns its number */
  importRecords(entries: number, subjectOf: (entry: number) => number): Promise<number>
  /** Starts the match of a project without a command around it, and awaits its end. */
  match(projectId: number, options?: Partial<RunOptions>): Promise<MatchedRun>
}

export interface MatchedRun {
  readonly workflowId: string
  /** From the start to the end of its workflow. */
  readonly ms: number
}

export interface EngineLabOptions {
  /** Distinct names that the service knows. */
  readonly subjects: number
  /** Of each of its answers. */
  readonly answerMs: number
  /** Default: a file, as users have it. */
  readonly temporal?: TemporalStore
}

export async function openEngineLab(options: EngineLabOptions): Promise<EngineLab> {
  const { subjects, answerMs, temporal } = options
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-engine-'))
  const lab = await openLab(1, {}, temporal)
  const service = await startStubService(KIND, subjects, {
    batchSize: BATCH_SIZE,
    delayMs: answerMs,
  })
  let project = FIRST_PROJECT
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true })
    await service.close()
    await lab.close()
  }
  try {
    await lab.restoreWorkers()
    // No limit: what slows a run down is not the limiter.
    const fast = ['--strategy', 'fixed', '--max-rps', '10000', '--max-in-flight', '1000']
    await lab.run('limits', 'set', service.domain, ...fast)
  } catch (error) {
    await close()
    throw error
  }
  return {
    ...lab,
    close,
    async importRecords(entries, subjectOf) {
      const number = project++
      const file = writeMadeFile(folder, KIND, entries, subjectOf)
      // Answers are kept by address.
      await lab.run(...importArgs(file, `${number}`, `${service.url}/${number}`))
      return number
    },
    async match(projectId, runOptions = {}) {
      const found = await findProject(lab.db, projectId)
      if (found === undefined) throw new Error(`expected a project ${projectId}`)
      const startedMs = performance.now()
      const { handle } = await startMatch(lab.client, {
        projectId,
        projectName: found.name,
        settingsRevision: found.revision,
        options: { ...defaultRunOptions, ...runOptions },
      })
      await handle.result()
      return { workflowId: handle.workflowId, ms: performance.now() - startedMs }
    },
  }
}
