import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFile, makeBareClone, type BareClone } from '../../support/bare-clone.ts'

let clone: BareClone
beforeEach(() => {
  clone = makeBareClone()
  clone.write('package-lock.json', lockFile({ left: '1.0.0' }))
})
afterEach(() => clone.remove())

/** Installs what the lock file says, slowly enough for two to meet. */
const npm = `
echo "npm $*" >> "$LOG"
sleep 0.5
mkdir -p node_modules
cat package-lock.json > node_modules/.package-lock.json`

const temporalOf = (server: string) => `echo "temporal version 1.2.3 (Server ${server}, UI 2.0.0)"`

describe('the node modules', () => {
  beforeEach(() => clone.program('temporal', temporalOf('1.30.0')))

  it('are installed when missing, with a line that says so, and not again', async () => {
    clone.program('npm', npm)
    const first = await clone.run('obtain-server.mjs', 'temporal')
    expect(first.code).toBe(0)
    expect(first.stderr).toMatch(/^set-up: installing 2 packages …\nset-up: .* \d+ s\n$/)
    expect(clone.log()).toEqual(['npm ci --no-audit --no-fund --loglevel=error'])

    const second = await clone.run('obtain-server.mjs', 'temporal')
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(clone.log()).toHaveLength(1)
  })

  it('are installed once by two set-ups at the same moment', async () => {
    clone.program('npm', npm)
    const both = await Promise.all([
      clone.run('obtain-server.mjs', 'temporal'),
      clone.run('obtain-server.mjs', 'temporal'),
    ])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both.some(({ stderr }) => stderr.includes('waiting for another set-up'))).toBe(true)
    expect(clone.log()).toHaveLength(1)
  })

  it('are installed again when the lock file changed, unless npm install did so already', async () => {
    clone.program('npm', npm)
    await clone.run('obtain-server.mjs', 'temporal')
    clone.write('package-lock.json', lockFile({ left: '2.0.0' }))
    await clone.run('obtain-server.mjs', 'temporal')
    expect(clone.log()).toHaveLength(2)

    clone.write('package-lock.json', lockFile({ left: '3.0.0' }))
    clone.write('node_modules/.package-lock.json', lockFile({ left: '3.0.0' }))
    await clone.run('obtain-server.mjs', 'temporal')
    expect(clone.log()).toHaveLength(2)
  })

  it('that cannot be installed are told with what npm said, and what to do', async () => {
    clone.program('npm', 'echo "the registry is away" >&2; exit 7')
    const { code, stdout, stderr } = await clone.run('obtain-server.mjs', 'temporal')
    expect(code).toBe(4)
    expect(stdout).toBe('')
    expect(stderr).toContain('failed (npm: 7).\nthe registry is away\nCheck the network')
  })
})

describe('the Temporal server', () => {
  beforeEach(() => {
    clone.write('node_modules/.package-lock.json', lockFile({ left: '1.0.0' }))
    sdkThat('throw new Error("no network")')
  })

  it('is the one on PATH when that is new enough', async () => {
    clone.program('temporal', temporalOf('1.28.0'))
    const { code, stdout } = await clone.run('obtain-server.mjs', 'temporal')
    expect(code).toBe(0)
    expect(stdout).toMatch(/bin\/temporal\n$/)
  })

  it('is downloaded by the SDK else, once', async () => {
    clone.program('temporal', temporalOf('1.27.9'))
    sdkThat(`
      writeFileSync(join(options.server.executable.downloadDir, 'temporal-9'), '', { mode: 0o755 })
      return { teardown: async () => undefined }`)
    const first = await clone.run('obtain-server.mjs', 'temporal')
    expect(first.stdout.trim()).toBe(join(clone.cache, 'record-linker/temporal-sdk-9.9.9/temporal'))
    expect(first.stderr).toContain('downloading the Temporal dev server')
    const second = await clone.run('obtain-server.mjs', 'temporal')
    expect(second).toEqual({ ...first, stderr: '' })
  })

  it('is built with Go where the SDK cannot download, once', async () => {
    clone.program(
      'go',
      'echo "go $*" >> "$LOG"; mkdir -p "$GOBIN"; echo > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"',
    )
    const first = await clone.run('obtain-server.mjs', 'temporal')
    expect(first.code).toBe(0)
    expect(first.stderr).toMatch(/downloading .* not possible from here\n.*building .* with Go/)
    expect(clone.log()).toEqual([
      'go install -trimpath -ldflags=-s -w github.com/temporalio/cli/cmd/temporal@v1.5.1',
    ])
    const second = await clone.run('obtain-server.mjs', 'temporal')
    expect(second).toEqual({ ...first, stderr: '' })
    expect(existsSync(first.stdout.trim())).toBe(true)
  })

  it('leaves no half-built program when Go fails', async () => {
    clone.program('go', 'mkdir -p "$GOBIN"; echo "no module proxy" >&2; exit 1')
    const { code, stderr } = await clone.run('obtain-server.mjs', 'temporal')
    expect(code).toBe(4)
    expect(stderr).toContain('no module proxy')
    expect(existsSync(join(clone.cache, 'record-linker/temporal-cli-1.5.1.new'))).toBe(false)
  })

  it('that cannot be had at all is told with the three ways to get one', async () => {
    const { code, stdout, stderr } = await clone.run('obtain-server.mjs', 'temporal')
    expect(code).toBe(4)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/1\. install the Temporal CLI[^]*2\. .*network[^]*3\. install Go/)
  })

  it('is not looked for in the network again for a day where Go can build it', async () => {
    clone.program('go', 'mkdir -p "$GOBIN"; echo > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"')
    mkdirSync(join(clone.cache, 'record-linker'), { recursive: true })
    writeFileSync(join(clone.cache, 'record-linker/sdk-download-not-possible'), '')
    const { stderr } = await clone.run('obtain-server.mjs', 'temporal')
    expect(stderr).not.toContain('downloading')
  })
})

describe('the time-skipping server', () => {
  beforeEach(() => {
    clone.write('node_modules/.package-lock.json', lockFile({ left: '1.0.0' }))
    sdkThat('throw new Error("no network")')
  })

  it('comes from Maven where the SDK cannot download, with a launcher for Java', async () => {
    clone.program('java', 'echo "java $*"')
    clone.program('mvn', 'mkdir jars')
    const { code, stdout } = await clone.run('obtain-server.mjs', 'time-skipping')
    expect(code).toBe(0)
    expect(stdout.trim()).toMatch(/time-skipping$/)
    expect(existsSync(join(stdout.trim(), '../jars'))).toBe(true)
  })

  it('that cannot be had is told with what to install', async () => {
    const { code, stderr } = await clone.run('obtain-server.mjs', 'time-skipping')
    expect(code).toBe(4)
    expect(stderr).toContain('2. install Java and Maven')
  })
})

/** Stands in for `@temporalio/testing`. @param body of its two functions that start a server */
function sdkThat(body: string): void {
  const name = 'node_modules/@temporalio/testing'
  clone.write(`${name}/package.json`, '{"version":"9.9.9","type":"module","exports":"./index.js"}')
  clone.write(
    `${name}/index.js`,
    `import { writeFileSync } from 'node:fs'
     import { join } from 'node:path'
     async function start(options) { ${body} }
     export const TestWorkflowEnvironment = { createLocal: start, createTimeSkipping: start }`,
  )
}
