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
