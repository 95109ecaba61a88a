/**
 * Tells a process from a later one that got the same number. Plain JavaScript: the set-up scripts use it
 * before any module is installed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A process as it can be written to a file and recognised later.
 * @typedef {{ readonly pid: number, readonly identity: string }} ProcessMark
 */

/**
 * What stays the same during the life of a process and differs for the next one with its number.
 * @param {number} pid
 * @returns {string | undefined} undefined: no such process, or one that is dead and only waits to be collected.
 */
export function processIdentity(pid) {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid)
}

/**
 * @param {number} pid
 * @returns {ProcessMark}
 */
export function markProcess(pid) {
  return { pid, identity: processIdentity(pid) ?? 'gone' }
}

/**
 * @param {ProcessMark} mark
 * @returns {boolean} whether that very process still lives.
 */
export function isRunning(mark) {
  return processIdentity(mark.pid) === mark.identity
}

/** @param {number} pid */
function identityFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name in parentheses may hold anything; the fields after it are fixed (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const state = fields[0]
    if (state === 'Z' || state === 'X') return undefined
    return `${bootId()}:${fields[19]}`
  } catch {
    return undefined // no such process
  }
}

/** @param {number} pid */
function identityFromPs(pid) {
  try {
    const columns = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/)
    const state = columns.shift() ?? ''
    return state === '' || state.startsWith('Z') ? undefined : columns.join(' ')
  } catch {
    return undefined // ps ends with 1 when there is no such process
  }
}

/** @type {string | undefined} */
let knownBootId

function bootId() {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return knownBootId
}
