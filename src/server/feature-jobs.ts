import { newsletterJobs } from '#server/features/publishing/newsletter/sending/newsletter.jobs.ts'
import { stripeAdoptionJobs } from './features/billing/stripe-adoption/stripe-adoption.jobs.ts'
import { billingJobs } from './features/billing/subscriptions/billing.jobs.ts'
import { teamJobs } from './features/billing/teams/teams.jobs.ts'
import { authJobs } from './features/identity/auth/auth.jobs.ts'
import { viewAsJobs } from './features/identity/view-as/view-as.jobs.ts'
import { archiveJobs } from './features/operations/archive/archive.jobs.ts'
import { backupJobs } from './features/operations/backup/backup.jobs.ts'
import { memberImportJobs } from './features/operations/member-import/member-import.jobs.ts'
import { membersJobs } from './features/operations/members/members.jobs.ts'
import { outgoingWebhooksJobs } from './features/operations/outgoing-webhooks/outgoing-webhooks.jobs.ts'
import { postImportJobs } from './features/operations/post-import/post-import.jobs.ts'
import { deliverabilityJobs } from './features/publishing/deliverability/deliverability.jobs.ts'
import { publishingJobs } from './features/publishing/documents/publishing.jobs.ts'
import { onboardingJobs } from './features/reader/onboarding/send-plan-started.ts'

/** Background jobs of all features, with their schedules. */
export const featureJobs = [
  billingJobs,
  onboardingJobs,
  authJobs,
  teamJobs,
  deliverabilityJobs,
  newsletterJobs,
  publishingJobs,
  archiveJobs,
  memberImportJobs,
  viewAsJobs,
  membersJobs,
  backupJobs,
  outgoingWebhooksJobs,
  stripeAdoptionJobs,
  postImportJobs,
]
