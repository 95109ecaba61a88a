/** Each test file's process: the Temporal SDK reports only what is wrong. */
import { DefaultLogger, Runtime } from '@temporalio/worker'

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
})
