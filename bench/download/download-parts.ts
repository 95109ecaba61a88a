import type { Measure } from '../limiter/stories/story.ts'
import { watchMemory } from '../worker-memory.ts'
import type { DownloadLab, FileSet } from './download-lab.ts'
import { aria2, curl, curlMadeSafe, hasAria2, plainLoop, type Rival, safeLoop } from './rivals.ts'

const MIB = 1024 * 1024
const LARGE: FileSet = { files: 20, bytes: 200 * MIB }
const LARGE_SHORT: FileSet = { files: 3, bytes: 2 * MIB }
const SMALL: FileSet = { files: 10_000, bytes: 4 * 1024 }
const SMALL_SHORT: FileSet = { files: 30, bytes: 1024 }
const LARGE_AT_ONCE = 4
const SMALL_AT_ONCE = 16
const LEAST_OF_CURL_PERCENT = 90
const MOST_MEMORY_MB = 300

/** Few large files, beside curl and aria2; all of them on the same disk. */
export async function measureLarge(
  lab: DownloadLab,
  isShort: boolean,
): Promise<readonly Measure[]> {
  const set = isShort ? LARGE_SHORT : LARGE
  const urls = lab.urls(set)
  const rate = (ms: number): number => ((set.files * set.bytes) / MIB / ms) * 1000
  const theirs = rate(await byRival(lab, curl, urls, LARGE_AT_ONCE))
  const byAria2 = (await hasAria2()) ? rate(await byRival(lab, aria2, urls, LARGE_AT_ONCE)) : null
  const safe = rate(await byRival(lab, curlMadeSafe, urls, LARGE_AT_ONCE))
  const memory = watchMemory(lab)
  const ours = rate(await lab.fetch(urls, LARGE_AT_ONCE))
  return [
    { name: 'curl --parallel', value: theirs, unit: 'MiB/s' },
    ...aria2Row(byAria2, 'MiB/s'),
    { name: 'curl, and then on the disk and hashed', value: safe, unit: 'MiB/s' },
    { name: 'a queue', value: ours, unit: 'MiB/s' },
    {
      name: 'a queue, of what curl reaches',
      value: (ours / theirs) * 100,
      unit: '%',
      goal: { atLeast: LEAST_OF_CURL_PERCENT },
    },
    {
      name: 'a queue, of what curl reaches with disk and hash',
      value: (ours / safe) * 100,
      unit: '%',
    },
    {
      name: 'most memory of the worker',
      value: memory.stop(),
      unit: 'MB',
      goal: { atMost: MOST_MEMORY_MB },
    },
  ]
}

/** Many small files, beside curl, aria2 and a loop; then all of them once more, from what is stored. */
export async function measureSmall(
  lab: DownloadLab,
  isShort: boolean,
): Promise<readonly Measure[]> {
  const set = isShort ? SMALL_SHORT : SMALL
  const urls = lab.urls(set)
  const rate = (ms: number): number => (set.files / ms) * 1000
  const byCurl = rate(await byRival(lab, curl, urls, SMALL_AT_ONCE))
  const byAria2 = (await hasAria2()) ? rate(await byRival(lab, aria2, urls, SMALL_AT_ONCE)) : null
  const byLoop = rate(await byRival(lab, plainLoop, urls, SMALL_AT_ONCE))
  const bySafeLoop = rate(await byRival(lab, safeLoop, urls, SMALL_AT_ONCE))
  const memory = watchMemory(lab)
  const ours = rate(await lab.fetch(urls, SMALL_AT_ONCE))
  const mostMb = memory.stop()
  const before = await lab.bodies()
  const again = rate(await lab.fetch(urls, SMALL_AT_ONCE))
  return [
    { name: 'curl --parallel', value: byCurl, unit: 'files/s' },
    ...aria2Row(byAria2, 'files/s'),
    { name: 'a loop over undici', value: byLoop, unit: 'files/s' },
    { name: 'the same, each hashed and on the disk', value: bySafeLoop, unit: 'files/s' },
    { name: 'a queue', value: ours, unit: 'files/s' },
    {
      name: 'what a queue costs more than the loop',
      value: 1000 / ours - 1000 / byLoop,
      unit: 'ms a file',
    },
    {
      name: 'of it for hash and disk',
      value: 1000 / bySafeLoop - 1000 / byLoop,
      unit: 'ms a file',
    },
    {
      name: 'most memory of the worker',
      value: mostMb,
      unit: 'MB',
      goal: { atMost: MOST_MEMORY_MB },
    },
    { name: 'once more, from what is stored', value: again, unit: 'files/s' },
    {
      name: 'bodies sent for that',
      value: (await lab.bodies()) - before,
      unit: '',
      goal: { atMost: 0 },
    },
  ]
}

function aria2Row(value: number | null, unit: string): readonly Measure[] {
  return value === null ? [] : [{ name: 'aria2', value, unit }]
}

async function byRival(
  lab: DownloadLab,
  rival: Rival,
  urls: readonly string[],
  atOnce: number,
): Promise<number> {
  const tookMs = await rival(urls, lab.folder(), atOnce)
  lab.folder()
  return tookMs
}
