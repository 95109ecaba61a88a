import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @param {string} name
 * @returns {string | undefined} its path, when a folder of PATH has such a program.
 */
export function findOnPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // not there, or not executable
  }
}

/**
 * @param {string} path
 * @param {readonly string[]} args
 * @returns {Promise<string>} what it prints within 10 s; empty when it fails.
 */
export function outputOf(path, args) {
  return new Promise((resolve) => {
    execFile(path, args, { timeout: 10_000 }, (error, stdout) => resolve(error ? '' : stdout))
  })
}
