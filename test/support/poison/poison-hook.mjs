/**
 * For `NODE_OPTIONS=--import …/poison-hook.mjs`: in every process of the program, records are judged by
 * `poisoned-judge.mjs`, so that some kill whoever judges them, be it the worker itself.
 */
import { register } from 'node:module'

register('./poison-loader.mjs', import.meta.url)
