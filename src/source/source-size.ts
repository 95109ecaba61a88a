/** How many records of each kind there are on the first day. */
export interface SourceSize {
  readonly users: number
  readonly groups: number
  readonly folders: number
  readonly looks: number
  readonly dashboards: number
  readonly models: number
}

export type SourceKind = keyof SourceSize

export const sourceKinds = [
  'users',
  'groups',
  'folders',
  'looks',
  'dashboards',
  'models',
] as const satisfies readonly SourceKind[]

export const DEFAULT_SOURCE_SIZE: SourceSize = {
  users: 250,
  groups: 40,
  folders: 60,
  looks: 150,
  dashboards: 80,
  models: 12,
}
