import { obtainPythonEnvironment } from './python-environment.mjs'

/**
 * A server and a client of the Reconciliation API that nobody here wrote. `reconciler` dies with NumPy 2.
 * @returns {Promise<string>} the folder of their programs: `python`, `csv-reconcile`.
 */
export function obtainPythonPeers() {
  return obtainPythonEnvironment({
    name: 'python-peers',
    requirements: ['csv-reconcile==0.3.2', 'reconciler==0.2.2', 'numpy<2', 'pandas<3'],
  })
}
