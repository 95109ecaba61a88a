import type { Resolver } from './resolver.ts'

/** Addresses as they were given, in their order. */
export const directResolver: Resolver = {
  name: 'direct',
  match: ({ urls = [] }) => urls.length > 0,
  async plans({ urls = [], expected, licence }) {
    return urls.map((url) => ({
      resolver: 'direct',
      url,
      ...(expected === undefined ? {} : { expected }),
      ...(licence === undefined ? {} : { licence }),
    }))
  },
}
