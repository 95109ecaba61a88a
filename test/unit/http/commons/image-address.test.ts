import { describe, expect, it } from 'vitest'
import {
  COMMONS,
  imageAddress,
  servedWidthPx,
  servedWidthsPx,
} from '../../../../src/core/commons/image-address.ts'
import { askImage } from '../../../../src/http/commons/ask-image.ts'
import { type FakeAnswer, htmlAnswer } from '../../../support/fake-reconciliation-service.ts'
import { httpScene } from '../http-scene.ts'

const NAME = 'A & B #1?.jpg'
const PATH = '/wiki/Special:FilePath/A_%26_B_%231%3F.jpg'

const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex')
const image = (type: string, body: string | Uint8Array): FakeAnswer => ({
  headers: { 'content-type': type },
  body,
})

describe('the address of an image', () => {
  it('case 31: is percent-encoded, and its width moved to one that is served', () => {
    expect(imageAddress(NAME, COMMONS, 600)).toBe(`https://commons.wikimedia.org${PATH}?width=960`)
    expect(imageAddress(NAME, COMMONS)).toBe(`https://commons.wikimedia.org${PATH}`)
  })

  it.each([
    [`Ada "Countess" O'Neill (1).png`, 'Ada_%22Countess%22_O%27Neill_%281%29.png'],
    ['File:Berlin +  Spree.JPG', 'Berlin_%2B_Spree.JPG'],
    ['image:100%.svg', '100%25.svg'],
    ['Zürich_東京.jpeg', 'Z%C3%BCrich_%E6%9D%B1%E4%BA%AC.jpeg'],
    [
      'http://commons.wikimedia.org/wiki/Special:FilePath/Z%C3%BCrich%20See.jpg',
      'Z%C3%BCrich_See.jpg',
    ],
    ['https://commons.wikimedia.org/wiki/File:100%.svg?uselang=de', '100%25.svg'],
  ])('of %s encodes what an address cannot hold', (value, path) => {
    expect(imageAddress(value, COMMONS)).toBe(`${COMMONS}/wiki/Special:FilePath/${path}`)
  })

  it.each(['https://museum.example/a.jpg', 'Q64', 'a picture', '', '../secret.jpg', '.jpg'])(
    'is none for %j, which names no file of Commons',
    (value) => {
      expect(imageAddress(value, COMMONS)).toBeUndefined()
    },
  )

  it.each([
    [1, 20],
    [20, 20],
    [21, 40],
    [501, 960],
    [960, 960],
    [3841, 3840],
  ])('of %d pixels has a width of %d', (wanted, served) => {
    expect(servedWidthPx(wanted)).toBe(served)
    expect(servedWidthsPx).toContain(served)
  })
})

describe('a file that is asked for', () => {
  async function scene(answer: FakeAnswer) {
    const { service, http, permits } = await httpScene(answer)
    const commons = new URL(service.url).origin
    const signal = new AbortController().signal
    const options = { http, commons, project: '1', signal, onExchange: () => undefined }
    return { service, permits, ask: (value = NAME) => askImage(options, value) }
  }

  it('case 31: is no image where a page comes with 200, whatever type it says', async () => {
    const page = htmlAnswer(200, 'Error')
    for (const answer of [page, image('image/jpeg', page.body ?? '')]) {
      const { permits, ask } = await scene(answer)
      expect(await ask()).toMatchObject({ state: 'not_an_image', code: 'not_an_image' })
      // One try, and no sign of load.
      expect(permits.kinds()).toEqual(['neutral'])
    }
  })

  it.each([
    ['a picture', image('image/jpeg', JPEG)],
    ['a part of one', { ...image('image/jpeg', JPEG), status: 206 }],
    ['a drawing', image('image/svg+xml', '<?xml version="1.0"?><!-- a --><svg></svg>')],
  ])('is present where %s comes', async (_, answer) => {
    expect(await (await scene(answer)).ask()).toMatchObject({ state: 'present', code: null })
  })

  it.each([
    ['no picture', image('application/pdf', '%PDF-1.7')],
    ['a text that says it is one', image('image/png', '{"error":"no such file"}')],
    ['another markup that says it is one', image('image/jpeg', '<Error><Code>x</Code></Error>')],
    ['nothing that says what it is', { body: JPEG }],
  ])('is no image where %s comes', async (_, answer) => {
    expect((await (await scene(answer)).ask()).state).toBe('not_an_image')
  })

  it('is missing, could not be asked, or is not asked at all: three things', async () => {
    expect((await (await scene({ status: 404 })).ask()).state).toBe('missing')
    expect(await (await scene({ status: 500 })).ask()).toEqual({
      state: 'failed',
      code: 'server_error',
      isFinal: false,
    })
    const { service, ask } = await scene(image('image/jpeg', JPEG))
    expect((await ask('https://museum.example/a.jpg')).state).toBe('no_file_name')
    expect(service.requests).toEqual([])
  })

  it('does not count as missing where we are to wait, or are turned away', async () => {
    const slow = htmlAnswer(200, '429 Too Many Requests')
    await expect((await scene(slow)).ask()).rejects.toMatchObject({ kind: 'throttled' })
    await expect((await scene({ status: 403 })).ask()).rejects.toMatchObject({ kind: 'endpoint' })
  })

  it('is looked for along its redirects, uncompressed, each hop with a permit, and only the beginning is received', async () => {
    const { service, permits, ask } = await scene({ status: 404 })
    const endless = image('image/jpeg', Buffer.concat([JPEG, Buffer.alloc(4096)]))
    service.respond(({ path }) =>
      path === PATH
        ? {
            status: 302,
            headers: { location: `http://localhost:${new URL(service.url).port}/a.jpg` },
          }
        : { ...endless, hang: 'in_body' },
    )
    expect((await ask()).state).toBe('present')
    expect(service.requests.map(({ path }) => path)).toEqual([PATH, '/a.jpg'])
    expect(permits.kinds()).toEqual(['neutral', 'ok'])
    for (const { headers } of service.requests) {
      expect(headers).toMatchObject({ range: 'bytes=0-1023', 'accept-encoding': 'identity' })
    }
    await service.until(() => service.abortedRequests() === 1)
  })
})
