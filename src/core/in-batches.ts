/**
 * Work that costs about the same for many as for one. What comes while a batch is under way waits for the next, so that
 * nobody waits for others who may not come.
 * @param work gets at least one item; its results are in their order. A result that is an Error is thrown to its caller
 * @param most items of one batch
 */
export function inBatches<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  most: number,
): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let isRunning = false
  const run = async (): Promise<void> => {
    isRunning = true
    // Those that come in the same turn belong together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const results = await work(batch.map(({ item }) => item))
        batch.forEach(({ resolve, reject }, index) => {
          const result = results[index]
          if (result instanceof Error) reject(result)
          else if (result === undefined) reject(new TypeError('expected a result of each item'))
          else resolve(result)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
