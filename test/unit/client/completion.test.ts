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

/** Parameters that zsh has of its own and a script may meet by accident; `path` is tied to PATH: empty, no program is found. */
const OF_ZSH = `
  path fpath cdpath manpath mailpath module_path fignore psvar prompt status pipestatus argv options parameters
  commands functions aliases builtins modules history historywords signals keymap keymaps widgets words word
  compstate curcontext match mbegin mend reply watch dirstack nameddirs userdirs jobstates jobtexts jobdirs
  terminfo termcap`
  .trim()
  .split(/\s+/)

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

it('has no variable with a name that means something of its own in zsh', () => {
  const forZsh = completionScript(createProgram(), 'zsh')
  const declared = [...forZsh.matchAll(/^\s*local (.*)$/gm)].flatMap(([, names = '']) =>
    names.split(' ').map((name) => name.replace(/=.*/, '')),
  )
  const assigned = [...forZsh.matchAll(/(?<![\w"'$[-])([a-z_]+)\+?=/g)].map(([, name = '']) => name)
  const used = [...forZsh.matchAll(/\$\{?([a-z_]\w*)/g)].map(([, name = '']) => name)
  const names = [...new Set([...declared, ...assigned, ...used])]
  expect(names).toContain('offered')
  expect(names.filter((name) => OF_ZSH.includes(name))).toEqual([])
})
