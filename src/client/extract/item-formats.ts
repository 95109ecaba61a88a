/** How `extract export` writes items. */
export const itemFormats = ['jsonl', 'csv', 'json'] as const
export type ItemFormat = (typeof itemFormats)[number]
