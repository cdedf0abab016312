import type { Feature } from '#server/feature.ts'
import { closeBilling } from './customers/on-account-deleted.ts'
import { exportedData } from './exported-data.ts'
import { planStartedJob } from './notices/plan-started-job.ts'
import { subscriptionsCalls } from './subscriptions.calls.ts'
import { subscriptionsJobs } from './subscriptions.jobs.ts'
import { stripeEventJob } from './webhooks/process-event.ts'
import { stripeWebhookRoutes } from './webhooks/webhook.routes.ts'

export const subscriptionsFeature: Feature = {
  calls: subscriptionsCalls,
  routes: (deps) => [stripeWebhookRoutes(deps)],
  jobs: subscriptionsJobs,
  enqueuedEarly: [planStartedJob, stripeEventJob],
  onAccountDeleted: closeBilling,
  exportedData,
}
