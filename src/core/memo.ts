/**
 * Remembers the answers of a pure function by its text, up to a number of texts; then it forgets all and starts again,
 * which is cheaper than knowing which was used last.
 */
export function memo<T>(compute: (text: string) => T, mostTexts: number): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const answer = compute(text)
    if (known.size >= mostTexts) known.clear()
    known.set(text, answer)
    return answer
  }
}
