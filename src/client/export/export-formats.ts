export const exportFormats = ['csv', 'jsonl', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]
