import { join } from 'node:path'
import { obtainPythonEnvironment } from './python-environment.mjs'

/**
 * The program that asks a server all that its OpenAPI document allows, and what it does not.
 * @returns {Promise<string>} its path
 */
export async function obtainSchemathesis() {
  const programs = await obtainPythonEnvironment({
    name: 'schemathesis',
    requirements: ['schemathesis==4.32.5'],
  })
  return join(programs, 'schemathesis')
}
