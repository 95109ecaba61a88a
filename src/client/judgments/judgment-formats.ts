/** How judgments are written, the usual one first. `judgments import` reads all but `json`, which is for programs. */
export const judgmentFormats = ['csv', 'jsonl', 'json'] as const
export type JudgmentFormat = (typeof judgmentFormats)[number]
