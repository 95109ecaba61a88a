/** A server that breaks down over a page is asked for half of it. */
import type { Paginator } from './paginator.ts'

export const SMALLEST_PAGE = 10

/**
 * The size to try next; null: it cannot be smaller.
 * Pages that are counted in their own size can only be halved evenly, or the position would lie inside one.
 */
export function smallerSize(paginator: Paginator, size: number): number | null {
  const half = Math.floor(size / 2)
  if (half < SMALLEST_PAGE) return null
  switch (paginator.kind) {
    case 'none':
      return null
    case 'page':
      return size % 2 === 0 ? half : null
    case 'cursor':
    case 'link':
      return paginator.limitParam === null ? null : half
    case 'offset':
    default:
      return half
  }
}

/**
 * The size with which a list goes on where another one is wanted.
 * Pages that are counted in their own size keep it. Behind a first page nothing shows any more that a server does not
 * serve so much at once: a short page is the last one. So a numbered list takes a smaller size only.
 */
export function resumedSize(
  { kind }: Paginator,
  list: { readonly pages: number; readonly size: number },
  wanted: number,
): number {
  if (list.pages === 0 || kind === 'cursor' || kind === 'link' || kind === 'none') return wanted
  return kind === 'page' ? list.size : Math.min(list.size, wanted)
}
