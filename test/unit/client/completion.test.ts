/** The script of `completion`, run by a real bash. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createProgram } from '../../../src/client/cli.ts'
import { completionScript } from '../../../src/client/completion/bash-completion.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-linker-completion-'))
const script = join(folder, 'completion.bash')
writeFileSync(script, completionScript(createProgram(), 'bash'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is offered for the last word of a line. */
function offered(...words: readonly string[]): readonly string[] {
  const line = ['./record-linker', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `source '${script}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _record_linker; printf '%s\\n' "\${COMPREPLY[@]}"`
  const text = execFileSync('bash', ['--norc', '-c', ask], { cwd: folder, encoding: 'utf8' })
  return text.trim().split('\n')
}

it('offers commands, those of a group, and flags, also after values', () => {
  expect(offered('start-')).toEqual(['start-match'])
  expect(offered('project', 'd')).toEqual(['dump', 'delete'])
  expect(offered('project', 'create', '--dat')).toEqual(['--dataset'])
  expect(offered('start-match', '--project', '123', '--det')).toEqual(['--detach'])
  expect(offered('queue', 'sta')).toEqual(['stats'])
})

it('offers files where nothing else fits', () => {
  expect(offered('import', 'completion.b')).toEqual(['completion.bash'])
})
