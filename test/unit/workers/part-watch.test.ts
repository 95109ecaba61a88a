import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { RecordLinkerError } from '../../../src/errors.ts'
import { watchPart } from '../../../src/workers/health/part-watch.ts'

const withCode = (code: string) => Object.assign(new Error('host db, password secret'), { code })

it('is starting until it was well once, and says since when it is away, and by which code', async () => {
  let trouble: Error | null = withCode('ECONNREFUSED')
  const watch = watchPart(() => {
    if (trouble !== null) throw trouble
  }, 60_000)
  expect(watch.state()).toMatchObject({ ok: false, code: 'starting' })
  trouble = null
  await watch.look()
  const well = watch.state()
  expect(well).toEqual({ ok: true, since: expect.any(String) })
  await watch.look()
  expect(watch.state()).toBe(well)
  trouble = withCode('ECONNREFUSED')
  await watch.look()
  const { since } = watch.state()
  trouble = withCode('57P03')
  await sleep(5)
  await watch.look()
  expect(watch.state()).toEqual({ ok: false, since, code: '57P03' })
  expect(JSON.stringify(watch.state())).not.toContain('secret')
})

it('a check that hangs is away, is not repeated meanwhile, and is well when it answers after all', async () => {
  let answer = (): void => undefined
  let calls = 0
  const watch = watchPart(() => {
    calls += 1
    return new Promise<void>((resolve) => {
      answer = resolve
    })
  }, 10)
  await watch.look()
  expect(watch.state()).toMatchObject({ ok: false, code: 'no_answer' })
  await watch.look()
  expect(calls).toBe(1)
  answer()
  await watch.look()
  expect(watch.state().ok).toBe(true)
})

it('names an error of ours by our code, and one without a code by none of its words', async () => {
  const ours = new RecordLinkerError({ code: 'not_polling', message: 'x' })
  for (const [error, code] of [
    [ours, 'not_polling'],
    [new Error('secret'), 'no_answer'],
  ] as const) {
    const watch = watchPart(() => Promise.reject(error), 1_000)
    await watch.look()
    expect(watch.state()).toMatchObject({ ok: false, code })
  }
})
