import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** Whole hours of many processes on a simulated clock, and properties over long stories: seconds each. */
const SIMULATED = 'test/unit/**/*.simulated.test.ts'

// Projects with different maxWorkers each need a groupOrder of their own.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [SIMULATED],
          // Only what hangs takes so long, also on a machine that does much else.
          testTimeout: 60_000,
          // Pure tests share nothing but the module cache, which loading again 60 times would cost seconds.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'simulated',
          include: [SIMULATED],
          testTimeout: 120_000,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/integration-set-up.ts'],
          setupFiles: ['test/support/quiet-temporal.ts'],
          sequence: { groupOrder: 1 },
          // Loading the SDK of Temporal takes a process three seconds, which a hundred files share.
          isolate: false,
          // Three at a time keep the machine so busy that limiters miss the time of their tasks.
          maxWorkers: 2,
          hookTimeout: 120_000,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'time-skipping',
          include: ['test/time-skipping/**/*.test.ts'],
          globalSetup: ['test/support/time-skipping-set-up.ts'],
          setupFiles: ['test/support/quiet-temporal.ts'],
          // Beside the integration tests: it mostly waits for a server of its own.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          hookTimeout: 120_000,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: ['test/support/integration-set-up.ts'],
          setupFiles: ['test/support/quiet-temporal.ts'],
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
          fileParallelism: false,
          hookTimeout: 300_000,
          testTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/integration-set-up.ts'],
          setupFiles: ['test/support/quiet-temporal.ts'],
          sequence: { groupOrder: 7 },
          maxWorkers: 2,
          hookTimeout: 120_000,
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'seeded-faults',
          include: ['test/faults/seeded-faults.test.ts'],
          env: { RECORD_LINKER_FAULTS: 'short' },
          // Beside the integration tests: half of its time it waits for something that is away.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
    ],
  },
})
