import { describe, expect, it } from 'vitest'
import { newJob, plainDoi } from '../../../../src/core/download/artifact-id.ts'
import type { Artifact } from '../../../../src/core/download/artifact.ts'
import { defaultQueueOptions } from '../../../../src/core/download/queue-options.ts'
import type { AskedPage } from '../../../../src/core/download/resolver.ts'
import { resolversFor } from '../../../../src/core/download/resolvers.ts'

const options = {
  ...defaultQueueOptions,
  templates: {
    archive: 'https://archive.example/{P724}.pdf',
    unpaywall: 'https://oa.example/{doi}',
  },
}

async function plansOf(
  artifact: Artifact,
  page: Partial<AskedPage> = {},
  hint: string | null = null,
) {
  const asked: string[] = []
  const ask = async (url: string): Promise<AskedPage> => {
    asked.push(url)
    return { status: 200, url, headers: {}, text: '', ...page }
  }
  const plans = []
  for (const resolver of resolversFor(artifact, hint, options)) {
    plans.push(...(await resolver.plans(artifact, { ask })))
  }
  return { asked, plans }
}

describe('a DOI', () => {
  const page = {
    url: 'https://publisher.example/papers/7',
    headers: {
      'content-type': 'text/html; charset=utf-8',
      link: '</files/7.pdf>; rel="item"; type="application/pdf", <https://doi.org/10.1/7>; rel=cite-as',
    },
    text: `<head><meta content="/pdf/7?x=1&amp;y=2" name='citation_pdf_url'>
      <link rel="alternate" type="application/pdf" href="alt.pdf"></head>`,
  }

  it('is asked where it is looked up; Link headers come first, then the mark of the page, then its links', async () => {
    const { asked, plans } = await plansOf({ doi: '10.1/7' }, page)
    expect(asked).toEqual(['https://doi.org/10.1/7'])
    expect(plans.map(({ resolver, url }) => [resolver, url])).toEqual([
      ['doi', 'https://publisher.example/files/7.pdf'],
      ['doi', 'https://publisher.example/pdf/7?x=1&y=2'],
      ['doi', 'https://publisher.example/papers/alt.pdf'],
      ['unpaywall', 'https://oa.example/10.1/7'],
    ])
    expect(plans[0]?.expected).toEqual({ types: ['application/pdf'] })
  })

  it('that leads to the document itself has that one way', async () => {
    const { plans } = await plansOf(
      { doi: '10.1/7' },
      { headers: { 'content-type': 'application/pdf' } },
    )
    expect(plans[0]?.url).toBe('https://doi.org/10.1/7')
  })

  it('never leads to what is no http address', async () => {
    const text =
      '<meta name="citation_pdf_url" content="file:///etc/passwd"><meta name="citation_pdf_url" content="javascript:1">'
    const { plans } = await plansOf({ doi: '10.1/7' }, { text })
    expect(plans.map(({ resolver }) => resolver)).toEqual(['unpaywall'])
  })

  it('is the same however it is written', () => {
    for (const text of [
      '10.1000/ABC',
      'doi:10.1000/abc',
      'https://doi.org/10.1000/abc',
      'http://dx.doi.org/10.1000/Abc',
    ]) {
      expect(plainDoi(text)).toBe('10.1000/abc')
    }
    expect(plainDoi('11.1000/abc')).toBeUndefined()
  })
})

describe('a file of Commons', () => {
  const text = JSON.stringify({
    query: {
      pages: [
        {
          imageinfo: [
            {
              size: 1234,
              sha1: 'a'.repeat(40),
              extmetadata: {
                Artist: { value: '<a href="//x">Anna&nbsp;B.</a> &amp; Co' },
                LicenseShortName: { value: 'CC BY-SA 4.0' },
                LicenseUrl: { value: 'https://creativecommons.org/licenses/by-sa/4.0' },
                Credit: { value: '<span>Own work</span>' },
              },
            },
          ],
        },
      ],
    },
  })

  it('comes with author, licence and credit, and as it is with its size and hash', async () => {
    const { asked, plans } = await plansOf({ commonsFile: 'File:A b.jpg' }, { text })
    expect(asked[0]).toContain('https://commons.wikimedia.org/w/api.php?')
    expect(new URL(asked[0] ?? '').searchParams.get('titles')).toBe('File:A_b.jpg')
    expect(plans).toEqual([
      {
        resolver: 'commons',
        url: 'https://commons.wikimedia.org/wiki/Special:FilePath/A_b.jpg',
        licence: {
          author: 'Anna B. & Co',
          name: 'CC BY-SA 4.0',
          url: 'https://creativecommons.org/licenses/by-sa/4.0',
          credit: 'Own work',
        },
        expected: { bytes: 1234, digests: [{ algorithm: 'sha1', hex: 'a'.repeat(40) }] },
      },
    ])
  })

  it('of a width is asked in one that is served, and then as it is', async () => {
    const { plans } = await plansOf({ commonsFile: 'A b.jpg', widthPx: 900 }, { text })
    expect(plans.map(({ url }) => url.split('FilePath/')[1])).toEqual([
      'A_b.jpg?width=960',
      'A_b.jpg',
    ])
    expect(plans[0]?.expected).toEqual({ types: ['image/*'] })
  })

  it('of which nothing can be told is fetched all the same', async () => {
    const { plans } = await plansOf({ commonsFile: 'A b.jpg' }, { text: '<html>' })
    expect(plans).toHaveLength(1)
  })
})

it('a template is used where all its fields are known; a hint goes first', async () => {
  expect((await plansOf({ fields: { P724: 'a b' } })).plans.map(({ url }) => url)).toEqual([
    'https://archive.example/a%20b.pdf',
  ])
  const both = { urls: ['https://a.example/1'], fields: { P724: 'x' } }
  expect((await plansOf(both, {}, 'template')).plans.map(({ resolver }) => resolver)).toEqual([
    'archive',
    'direct',
  ])
})

it('an artifact is known by its address, its DOI or its name, and queued by the host that is asked first', () => {
  const known = (artifact: Artifact) => {
    const job = newJob({ artifact }, options)
    return [job?.artifactId, job?.host]
  }
  expect(known({ urls: ['https://A.example:443/x#y'] })).toEqual([
    'url:https://a.example/x',
    'a.example',
  ])
  expect(known({ doi: '10.1/7' })).toEqual(['doi:10.1/7', 'doi.org'])
  expect(known({ commonsFile: 'A b.jpg', widthPx: 900 })).toEqual([
    'commons:A_b.jpg@960',
    'commons.wikimedia.org',
  ])
  expect(known({ name: 'nothing' })).toEqual([undefined, undefined])
})
