/** A property that a service offers for a text. */
export interface SuggestedProperty {
  readonly id: string
  readonly name: string
  readonly description: string | null
}
