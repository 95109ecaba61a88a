/** Each process of tests: the Temporal SDK reports only what is wrong. */
import { DefaultLogger, Runtime } from '@temporalio/worker'

// Test files that share a process come by here one after the other, and a runtime is installed once.
const installed = Symbol.for('record-linker.quiet-temporal')
if (!(installed in globalThis)) {
  Reflect.set(globalThis, installed, true)
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
  })
}
