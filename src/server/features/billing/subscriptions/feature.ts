import type { Feature } from '#server/feature.ts'
import { billingCalls } from './billing.calls.ts'
import { billingJobs } from './billing.jobs.ts'
import { exportedData } from './exported-data.ts'
import { closeBilling } from './on-account-deleted.ts'
import { planStartedJob } from './plan-started-job.ts'
import { stripeEventJob } from './process-event.ts'
import { stripeWebhookRoutes } from './webhook.routes.ts'

export const subscriptionsFeature: Feature = {
  calls: billingCalls,
  routes: (deps) => [stripeWebhookRoutes(deps)],
  jobs: billingJobs,
  enqueuedEarly: [planStartedJob, stripeEventJob],
  onAccountDeleted: closeBilling,
  exportedData,
}
