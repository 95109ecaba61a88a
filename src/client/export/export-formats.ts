/** Records with their matches; `quickstatements` is written apart, as it has no row per record. */
export const tableFormats = ['csv', 'jsonl', 'json', 'review-csv', 'openrefine-csv'] as const
export type TableExportFormat = (typeof tableFormats)[number]

export const exportFormats = [...tableFormats, 'quickstatements'] as const
export type ExportFormat = (typeof exportFormats)[number]
