/** The only entry of the workflow bundle: every export is a workflow that can be started. */
export { domainLimiter } from './domain-limiter.ts'
export { extendProject } from './extend-project.ts'
export { matchProject } from './match-project.ts'
export { matchShard } from './match-shard.ts'
export { matchTask } from './match-task.ts'
export { recheckProject } from './recheck-project.ts'
export { suggestProperties, suggestTypes } from './suggest.ts'
