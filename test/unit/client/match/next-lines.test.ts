import { describe, expect, it } from 'vitest'
import { createProgram } from '../../../../src/client/cli.ts'
import { judgeLines } from '../../../../src/client/explain/run-explain.ts'
import { checkJudgmentColumns } from '../../../../src/client/judgments/judgment-columns.ts'
import { nextLines } from '../../../../src/client/match/next-lines.ts'

const ended = {
  status: 'completed',
  entries: { total: 10, completed: 9, failed: 1, cancelled: 0 },
  outcomes: { matched: 5, review: 3, no_candidate: 1, skipped: 0 },
  paused: null,
} as const

const held = { ...ended, status: 'running', paused: { reason: 'by user', since: null } } as const

/** The options of each command a text names that the program does not have. */
function unknownOptions(text: string): readonly string[] {
  return [...text.matchAll(/\.\/record-linker ([^\n]+)/g)].flatMap(([, line = '']) => {
    const words = line.split(' ')
    let command = createProgram()
    for (const word of words) {
      const next = command.commands.find((one) => one.name() === word)
      if (next === undefined) break
      command = next
    }
    const known = command.options.flatMap(({ short, long }) => [short, long])
    const unknown = words.filter((word) => word.startsWith('-') && !known.includes(word))
    return command.parent === null ? [line] : unknown
  })
}

describe('what is said after a match', () => {
  it('leads to the page, and to a file that can be judged, with a name of its own per project', () => {
    const text = nextLines(124, ended, undefined).join('\n')
    expect(text).toContain('./record-linker review --project 124')
    expect(text).toContain(
      'export --project 124 --format review-csv --only review no_candidate -o review-124.csv',
    )
    expect(text).toContain('-o matches-124.csv')
    expect(text).not.toMatch(/-o (?:matches|review)\.csv/)
  })
  it('names commands and options that there are', () => {
    expect(unknownOptions(nextLines(124, ended, undefined).join('\n'))).toEqual([])
    expect(unknownOptions(nextLines(124, held, undefined).join('\n'))).toEqual([])
    expect(unknownOptions('./record-linker export --prject 3')).toEqual(['--prject'])
  })
})

describe('a file that is no file of judgments', () => {
  it('is told apart when it is a plain export, and what to do is said', () => {
    const columns = ['id', 'match_qid', 'match_status', 'match_runner_up']
    const attempt = () => checkJudgmentColumns(columns, 'review.csv', 124)
    expect(attempt).toThrow(/plain export/)
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'unknown_column',
        hint: expect.stringMatching(
          /--format review-csv[^\n]*review-124\.csv\n.*review --project 124/,
        ),
      }),
    )
  })
  it('is told what it lacks otherwise', () => {
    expect(() => checkJudgmentColumns(['a', 'b'], 'x.csv', 1)).toThrow(
      /no column "id" and no column "verdict"; its columns are "a", "b"/,
    )
    expect(() => checkJudgmentColumns(['id', 'verdict'], 'x.csv', 1)).not.toThrow()
  })
  it('is described where a record is explained, beside the page', () => {
    expect(judgeLines(124)).toMatch(
      /review --project 124[^]*verdict \(match,[^]*--format review-csv/,
    )
    expect(unknownOptions(judgeLines(124))).toEqual([])
  })
})
