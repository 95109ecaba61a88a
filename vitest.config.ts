import { defineConfig } from 'vitest/config'

/** Whole hours of many processes on a simulated clock, and properties over long stories: seconds each. */
const SIMULATED = 'test/unit/**/*.simulated.test.ts'

// Projects with different maxWorkers each need a groupOrder of their own.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [SIMULATED],
          // Pure tests share nothing but the module cache, which loading again 60 times would cost seconds.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'simulated',
          include: [SIMULATED],
          isolate: false,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/integration-set-up.ts'],
          setupFiles: ['test/support/quiet-temporal.ts'],
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          fileParallelism: false,
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
          name: 'seeded-faults',
          include: ['test/faults/seeded-faults.test.ts'],
          env: { RECORD_LINKER_FAULTS: 'short' },
          sequence: { groupOrder: 5 },
          maxWorkers: 1,
        },
      },
    ],
  },
})
