/** An item of a gold file, for `recheck`: gold is often older than the items it names. */
export interface GoldItemTable {
  project_id: number
  external_id: string
}
