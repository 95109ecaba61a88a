/** A content of the store that can be shown. */
export interface Picture {
  readonly sha256: string
  readonly bytes: number
  /** MIME type by its content. */
  readonly type: string
}

/** In pixels; one of those that Commons serves. */
export const PICTURE_WIDTH_PX = 250

const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
])

/** Whether a browser may be given it: no type that can hold a script. */
export function isShownType(type: string | null): type is string {
  return type !== null && SHOWN_TYPES.has(type)
}
