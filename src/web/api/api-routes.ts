import type { Route } from '../route.ts'
import { actRoutes } from './act-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { controlRoutes } from './control-routes.ts'
import { entryRoutes } from './entry-routes.ts'
import { exportRoutes } from './export-routes.ts'
import { importRoutes } from './import-routes.ts'
import { jobRoutes } from './job-routes.ts'
import { judgmentRoutes } from './judgment-routes.ts'
import { limitRoutes } from './limit-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { runRoutes } from './run-routes.ts'
import { thresholdRoutes } from './threshold-routes.ts'

/** All of the API, in the order of its document. */
export const apiRoutes: readonly Route[] = [
  ...projectRoutes,
  ...thresholdRoutes,
  ...controlRoutes,
  ...runRoutes,
  ...entryRoutes,
  ...searchRoutes,
  ...judgmentRoutes,
  ...actRoutes,
  ...auditRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...limitRoutes,
  ...jobRoutes,
]
