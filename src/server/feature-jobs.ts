import { newsletterJobs } from '#server/features/newsletter/sending/newsletter.jobs.ts'
import { archiveJobs } from './features/archive/archive.jobs.ts'
import { authJobs } from './features/auth/auth.jobs.ts'
import { backupJobs } from './features/backup/backup.jobs.ts'
import { billingJobs } from './features/billing/billing.jobs.ts'
import { deliverabilityJobs } from './features/deliverability/deliverability.jobs.ts'
import { memberImportJobs } from './features/member-import/member-import.jobs.ts'
import { membersJobs } from './features/members/members.jobs.ts'
import { onboardingJobs } from './features/onboarding/send-plan-started.ts'
import { outgoingWebhooksJobs } from './features/outgoing-webhooks/outgoing-webhooks.jobs.ts'
import { postImportJobs } from './features/post-import/post-import.jobs.ts'
import { publishingJobs } from './features/publishing/publishing.jobs.ts'
import { stripeAdoptionJobs } from './features/stripe-adoption/stripe-adoption.jobs.ts'
import { teamJobs } from './features/teams/teams.jobs.ts'
import { viewAsJobs } from './features/view-as/view-as.jobs.ts'

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
