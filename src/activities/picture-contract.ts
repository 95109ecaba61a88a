import type { Picture } from '../core/picture.ts'

export interface PictureActivities {
  /** Fetches the picture that an item states, small, into the store; what is there is not asked for. @returns null: there is none */
  fetchPicture(input: {
    readonly projectId: number
    readonly item: string
  }): Promise<Picture | null>
}
