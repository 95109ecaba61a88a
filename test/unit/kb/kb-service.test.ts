import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startKbService, type KbService } from '../../../src/kb/kb-service.ts'

const GOOD =
  '{"qid":"Q1","label":"Acme","aliases":["Acme Works"],"types":["Q5"],"properties":{"P17":"Q30"}}'

let folder: string
const services: KbService[] = []
const warnings: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-service-'))
  warnings.length = 0
})

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()))
  await rm(folder, { recursive: true })
})

async function serve(
  content: string | Uint8Array,
  options: { readonly name?: string; readonly host?: string; readonly port?: number } = {},
): Promise<KbService> {
  const file = join(folder, options.name ?? 'kb.jsonl')
  await writeFile(file, content)
  const service = await startKbService({
    file,
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    warn: (line) => void warnings.push(line.replace(file, 'FILE')),
  })
  services.push(service)
  return service
}

async function topCandidate(service: KbService, query: string): Promise<unknown> {
  const queries = JSON.stringify({ q: { query } })
  const response = await fetch(service.url, {
    method: 'POST',
    body: new URLSearchParams({ queries }),
  })
  return ((await response.json()) as { q: { result: unknown[] } }).q.result[0]
}

async function sendRaw(url: string, text: string): Promise<string> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  socket.end(text)
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  await once(socket, 'close')
  return answer
}

describe('a request in chunks, without Content-Length', () => {
  const post = (service: KbService, pieces: readonly string[]) =>
    fetch(service.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new Blob([...pieces]).stream(),
      duplex: 'half',
    })

  it('is answered, and is none without a field', async () => {
    const service = await serve(GOOD)
    const queries = encodeURIComponent('{"q":{"query":"Acme"}}')
    const answer = await post(service, ['queries=', queries])
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"Q1"')])
    expect((await post(service, [])).status).toBe(400)
  })

  it('is refused when it gets too long', async () => {
    const service = await serve(GOOD)
    const answer = await post(
      service,
      Array.from({ length: 5 }, () => 'x'.repeat(1_000_000)),
    )
    expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('larger')])
  })
})

describe('file', () => {
  it('is served on loopback without a warning', async () => {
    const service = await serve(`${GOOD}\n`)
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(service.items).toBe(1)
    expect(warnings).toEqual([])
    expect(await topCandidate(service, 'acme works')).toMatchObject({ id: 'Q1', name: 'Acme' })
  })

  it('may be gzipped, have a byte order mark, blank lines, CRLF and no last line break', async () => {
    const text = `\ufeff${GOOD}\r\n\r\n{"qid":"Q2","label":"Zenith"}`
    const service = await serve(gzipSync(text), { name: 'kb.jsonl.gz' })
    expect(service.items).toBe(2)
    expect(warnings).toEqual([])
  })

  it('is served without its bad lines, each reported with number and reason', async () => {
    const lines = [
      '{',
      '[]',
      '{"qid":"Q2"}',
      '{"qid":"","label":"x"}',
      '{"qid":"Q3","label":"x","aliases":[1]}',
      GOOD,
    ]
    const notUtf8 = Buffer.from([0xff, 0x0a])
    const service = await serve(Buffer.concat([notUtf8, Buffer.from(lines.join('\n'))]))
    expect([service.items, service.badLines]).toEqual([1, 6])
    expect(warnings).toHaveLength(6)
    expect(warnings[0]).toBe('FILE:1: left out, not UTF-8')
    expect(warnings[1]).toMatch(/^FILE:2: left out, not JSON: /)
    expect(warnings[3]).toMatch(/^FILE:4: left out, label: /)
  })

  it('has rows of one id merged: names, types and values of the later are added', async () => {
    const later =
      '{"qid":"Q1","label":"ACME Corporation","types":["Q5","Q6"],"properties":{"P17":["Q30","Q16"]}}'
    const service = await serve(`${GOOD}\n${later}\n`)
    expect(service.items).toBe(1)
    expect(await topCandidate(service, 'ACME Corporation')).toMatchObject({
      id: 'Q1',
      name: 'Acme',
      score: 100,
    })
    const item: unknown = await (await fetch(`${service.url}/item/Q1`)).json()
    expect(item).toMatchObject({
      aliases: ['Acme Works', 'ACME Corporation'],
      types: ['Q5', 'Q6'],
      properties: { P17: ['Q30', 'Q16'] },
    })
  })

  it.each([
    ['is empty', '', 'kb_file_empty'],
    ['is CSV', 'id,name\n1,Acme\n', 'kb_file_not_lines'],
    ['is a JSON array', '[\n{"qid":"Q1","label":"Acme"}]', 'kb_file_not_lines'],
    ['has only bad lines', 'x\ny\n', 'kb_file_empty'],
    ['is a broken archive', new Uint8Array([0x1f, 0x8b, 1, 2, 3]), 'kb_file_unreadable'],
    ['has no lines', new Uint8Array(17 * 1024 * 1024).fill(0x20), 'kb_file_not_lines'],
  ])('is refused when it %s', async (_, content, code) => {
    await expect(serve(content)).rejects.toMatchObject({ code })
  })

  it('is called CSV once, and no line of it is told, when it is CSV', async () => {
    await expect(serve('id,name\n1,Acme\n2,Bell\n')).rejects.toThrow(/looks like CSV.*JSONL/)
    expect(warnings).toEqual([])
  })

  it('is refused when it is not there', async () => {
    const missing = startKbService({ file: join(folder, 'missing.jsonl') })
    await expect(missing).rejects.toMatchObject({ code: 'kb_file_unreadable' })
  })
})

describe('listening', () => {
  it('beyond loopback gives a warning', async () => {
    await serve(GOOD, { host: '0.0.0.0' })
    expect(warnings).toEqual([expect.stringContaining('listening on 0.0.0.0')])
  })

  it('on a port in use says so', async () => {
    const { url } = await serve(GOOD)
    const port = Number(new URL(url).port)
    await expect(serve(GOOD, { port })).rejects.toMatchObject({ code: 'port_in_use' })
  })

  it('on an address of another machine says so', async () => {
    await expect(serve(GOOD, { host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'cannot_listen',
    })
  })

  it('ends at close, with idle connections open', async () => {
    const service = await serve(GOOD)
    await topCandidate(service, 'Acme')
    services.length = 0
    await service.close()
    await expect(fetch(service.url)).rejects.toThrow('fetch failed')
  })
})

describe('a request that never reaches the app', () => {
  it.each([
    ['is not HTTP', 'hello\r\n\r\n', 400],
    ['has a bad host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['has too large a first line', `GET /?${'x'.repeat(300_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])('is answered in JSON when it %s', async (_, request, status) => {
    const { url } = await serve(GOOD)
    const answer = await sendRaw(url, request)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.toLowerCase()).toContain('content-type: application/json')
    expect(answer).toContain('"status":"error"')
  })

  it('may be a GET with a long batch', async () => {
    const { url } = await serve(GOOD)
    const queries = JSON.stringify({
      q: { query: 'Acme', properties: [{ pid: 'P1', v: 'x'.repeat(100_000) }] },
    })
    const response = await fetch(`${url}/?queries=${encodeURIComponent(queries)}`)
    expect(await response.json()).toHaveProperty('q.result.0.id', 'Q1')
  })
})
