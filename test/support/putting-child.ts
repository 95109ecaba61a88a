/** Puts one content after the other into the store of its argument, until it is killed. */
import { pathToFileURL } from 'node:url'
import { openBlobStore } from '../../src/store/open-blob-store.ts'
import { staged } from './stores.ts'

const [, , folder = '', round = ''] = process.argv
const store = await openBlobStore(pathToFileURL(folder).href, { reserveBytes: 0 })
for (let number = 0; ; number += 1) {
  // From a few bytes to some megabytes, so that every step takes its share of the time.
  const content = `${round} ${number} `.repeat(1 + ((number * 7919) % 200_000))
  await store.put(staged(store, content))
  if (number === 0) process.send?.({ ready: true })
}
