/**
 * What has become of a file; `not_an_image`: something else is in its place; `no_file_name`: there is none to ask for;
 * `failed`: it could not be asked.
 */
export type ImageState = 'present' | 'missing' | 'not_an_image' | 'no_file_name' | 'failed'

/** A value that items state, as last checked. */
export interface ImageCheckTable {
  service: string
  value: string
  state: ImageState
  /** Of what it ran into; null where it is present. */
  code: string | null
  checked_at: Date
}
