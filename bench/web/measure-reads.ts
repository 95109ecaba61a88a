import type { Measure } from '../limiter/stories/story.ts'
import { median } from '../median.ts'
import { apiPaths, pagePaths } from './asked-paths.ts'
import type { WebLab } from './web-lab.ts'

export const MOST_MS = 200

export function measureApi(lab: WebLab): Promise<readonly Measure[]> {
  return measurePaths(lab, apiPaths)
}

export async function measurePages(lab: WebLab): Promise<readonly Measure[]> {
  return measurePaths(lab, pagePaths)
}

async function measurePaths(
  lab: WebLab,
  paths: (lab: WebLab) => Promise<readonly string[]>,
): Promise<readonly Measure[]> {
  const wanted = await paths(lab)
  const times = new Map(wanted.map((path) => [path, [] as number[]]))
  // In turn, so that no answer is quick only since the same was asked a moment before.
  for (let round = 0; round < lab.asks; round += 1) {
    for (const [path, of] of times) of.push((await lab.ask(path)).ms)
  }
  return [...times].map(([path, of]) => ({
    name: nameOf(path, lab.project.id),
    value: median(of),
    unit: 'ms',
    goal: { atMost: MOST_MS },
  }))
}

/** Without numbers that differ from run to run. */
function nameOf(path: string, project: number): string {
  return path
    .replace(`/projects/${project}`, '/projects/P')
    .replace(`/p/${project}`, '/p/P')
    .replace(/(after|from)=[^&]+/, '$1=…')
}
