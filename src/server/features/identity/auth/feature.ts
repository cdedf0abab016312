import type { Feature } from '#server/feature.ts'
import { authCalls } from './auth.calls.ts'
import { authJobs } from './auth.jobs.ts'
import { authRoutes } from './auth.routes.ts'
import { exportedSignIn } from './security/exported-sign-in.ts'
import { exportedAccount } from './users/exported-account.ts'

export const authFeature: Feature = {
  calls: authCalls,
  routes: (deps) => [authRoutes(deps)],
  jobs: authJobs,
  exportedData: { ...exportedAccount, ...exportedSignIn },
}
