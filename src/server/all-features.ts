import { exportedParts } from './exported-data.ts'
import type { AccountHook, Deps, Feature, FeatureDeps, SignInHook, TransferHook, VisitorHook } from './feature.ts'
import { giftsFeature } from './features/billing/gifts/feature.ts'
import { offersFeature } from './features/billing/offers/feature.ts'
import { plansFeature } from './features/billing/plans/feature.ts'
import { purchasesFeature } from './features/billing/purchases/feature.ts'
import { referralsFeature } from './features/billing/referrals/feature.ts'
import { stripeAdoptionFeature } from './features/billing/stripe-adoption/feature.ts'
import { subscriptionsFeature } from './features/billing/subscriptions/feature.ts'
import { teamsFeature } from './features/billing/teams/feature.ts'
import { withdrawalsFeature } from './features/billing/withdrawals/feature.ts'
import { accountFeature } from './features/identity/account/feature.ts'
import { authFeature } from './features/identity/auth/feature.ts'
import { connectionsFeature } from './features/identity/connections/feature.ts'
import { staffFeature } from './features/identity/staff/feature.ts'
import { viewAsFeature } from './features/identity/view-as/feature.ts'
import { contentFeature } from './features/library/content/feature.ts'
import { freshnessFeature } from './features/library/freshness/feature.ts'
import { searchFeature } from './features/library/search/feature.ts'
import { apiKeysFeature } from './features/operations/api-keys/feature.ts'
import { archiveFeature } from './features/operations/archive/feature.ts'
import { assistantsFeature } from './features/operations/assistants/feature.ts'
import { backupFeature } from './features/operations/backup/feature.ts'
import { memberImportFeature } from './features/operations/member-import/feature.ts'
import { membersFeature } from './features/operations/members/feature.ts'
import { operatorFeature } from './features/operations/operator/feature.ts'
import { outgoingWebhooksFeature } from './features/operations/outgoing-webhooks/feature.ts'
import { overviewFeature } from './features/operations/overview/feature.ts'
import { postImportFeature } from './features/operations/post-import/feature.ts'
import { sandboxInboxFeature } from './features/operations/sandbox-inbox/feature.ts'
import { seriesFeature } from './features/operations/series/feature.ts'
import { setupChecklistFeature } from './features/operations/setup-checklist/feature.ts'
import { staffEmailsFeature } from './features/operations/staff-emails/feature.ts'
import { statusFeature } from './features/operations/status/feature.ts'
import { answerEmailsFeature } from './features/publishing/answer-emails/feature.ts'
import { assignmentEmailsFeature } from './features/publishing/assignment-emails/feature.ts'
import { deliverabilityFeature } from './features/publishing/deliverability/feature.ts'
import { documentsFeature } from './features/publishing/documents/feature.ts'
import { emailPreferencesFeature } from './features/publishing/email-preferences/feature.ts'
import { emailRepliesFeature } from './features/publishing/email-replies/feature.ts'
import { freeEditionFeature } from './features/publishing/free-edition/feature.ts'
import { mailingsFeature } from './features/publishing/mailings/feature.ts'
import { newslettersFeature } from './features/publishing/newsletters/feature.ts'
import { publicPagesFeature } from './features/publishing/public-pages/feature.ts'
import { recordingsFeature } from './features/publishing/recordings/feature.ts'
import { segmentsFeature } from './features/publishing/segments/feature.ts'
import { sendingSettingsFeature } from './features/publishing/sending-settings/feature.ts'
import { sitePagesFeature } from './features/publishing/site-pages/feature.ts'
import { siteSettingsFeature } from './features/publishing/site-settings/feature.ts'
import { trustPagesFeature } from './features/publishing/trust-pages/feature.ts'
import { visitsFeature } from './features/publishing/visits/feature.ts'
import { assignmentsFeature } from './features/reader/assignments/feature.ts'
import { businessProfileFeature } from './features/reader/business-profile/feature.ts'
import { commentsFeature } from './features/reader/comments/feature.ts'
import { customFieldsFeature } from './features/reader/custom-fields/feature.ts'
import { deadlinesFeature } from './features/reader/deadlines/feature.ts'
import { departuresFeature } from './features/reader/departures/feature.ts'
import { feedbackFeature } from './features/reader/feedback/feature.ts'
import { firstWeekFeature } from './features/reader/first-week/feature.ts'
import { franchisorRulesFeature } from './features/reader/franchisor-rules/feature.ts'
import { itemMarksFeature } from './features/reader/item-marks/feature.ts'
import { offlineFeature } from './features/reader/offline/feature.ts'
import { onboardingFeature } from './features/reader/onboarding/feature.ts'
import { personalizationFeature } from './features/reader/personalization/feature.ts'
import { preferencesFeature } from './features/reader/preferences/feature.ts'
import { pushFeature } from './features/reader/push/feature.ts'
import { receiptsFeature } from './features/reader/receipts/feature.ts'
import { savedFeature } from './features/reader/saved/feature.ts'
import { sharingFeature } from './features/reader/sharing/feature.ts'
import { taskLinksFeature } from './features/reader/task-links/feature.ts'
import { triesFeature } from './features/reader/tries/feature.ts'
import type { Implementation } from './http/product-calls.ts'
import type { FeatureJobs, QueuedJob } from './jobs/jobs.ts'
import { type AnyRun, runJobs } from './jobs/runs.ts'
import type { Resource } from './protocol/define-resource.ts'

/** In the order of scripts/features.json: each builds only on those before it. */
export const allFeatures: Readonly<Record<string, Feature>> = {
  'identity/auth': authFeature,
  'identity/connections': connectionsFeature,
  'identity/account': accountFeature,
  'identity/view-as': viewAsFeature,
  'identity/staff': staffFeature,
  'billing/subscriptions': subscriptionsFeature,
  'billing/teams': teamsFeature,
  'billing/offers': offersFeature,
  'billing/plans': plansFeature,
  'billing/stripe-adoption': stripeAdoptionFeature,
  'billing/gifts': giftsFeature,
  'billing/purchases': purchasesFeature,
  'billing/withdrawals': withdrawalsFeature,
  'billing/referrals': referralsFeature,
  'library/content': contentFeature,
  'library/search': searchFeature,
  'library/freshness': freshnessFeature,
  'reader/push': pushFeature,
  'reader/preferences': preferencesFeature,
  'reader/custom-fields': customFieldsFeature,
  'reader/business-profile': businessProfileFeature,
  'reader/franchisor-rules': franchisorRulesFeature,
  'reader/personalization': personalizationFeature,
  'reader/onboarding': onboardingFeature,
  'reader/saved': savedFeature,
  'reader/tries': triesFeature,
  'reader/feedback': feedbackFeature,
  'reader/comments': commentsFeature,
  'reader/first-week': firstWeekFeature,
  'reader/deadlines': deadlinesFeature,
  'reader/assignments': assignmentsFeature,
  'reader/receipts': receiptsFeature,
  'reader/item-marks': itemMarksFeature,
  'reader/sharing': sharingFeature,
  'reader/task-links': taskLinksFeature,
  'reader/departures': departuresFeature,
  'reader/offline': offlineFeature,
  'publishing/segments': segmentsFeature,
  'publishing/sending-settings': sendingSettingsFeature,
  'publishing/newsletters': newslettersFeature,
  'publishing/trust-pages': trustPagesFeature,
  'publishing/site-settings': siteSettingsFeature,
  'publishing/site-pages': sitePagesFeature,
  'publishing/email-preferences': emailPreferencesFeature,
  'publishing/deliverability': deliverabilityFeature,
  'publishing/email-replies': emailRepliesFeature,
  'publishing/assignment-emails': assignmentEmailsFeature,
  'publishing/answer-emails': answerEmailsFeature,
  'publishing/visits': visitsFeature,
  'publishing/public-pages': publicPagesFeature,
  'publishing/recordings': recordingsFeature,
  'publishing/free-edition': freeEditionFeature,
  'publishing/documents': documentsFeature,
  'publishing/mailings': mailingsFeature,
  'operations/members': membersFeature,
  'operations/member-import': memberImportFeature,
  'operations/archive': archiveFeature,
  'operations/post-import': postImportFeature,
  'operations/api-keys': apiKeysFeature,
  'operations/outgoing-webhooks': outgoingWebhooksFeature,
  'operations/series': seriesFeature,
  'operations/staff-emails': staffEmailsFeature,
  'operations/backup': backupFeature,
  'operations/setup-checklist': setupChecklistFeature,
  'operations/status': statusFeature,
  'operations/overview': overviewFeature,
  'operations/assistants': assistantsFeature,
  'operations/operator': operatorFeature,
  'operations/sandbox-inbox': sandboxInboxFeature,
}
const features = Object.values(allFeatures)

export const callsOf = (deps: FeatureDeps): Implementation[] => features.flatMap(({ calls }) => calls?.(deps) ?? [])

export const routesOf = (deps: FeatureDeps) => features.flatMap(({ routes }) => routes?.(deps) ?? [])

/** Limits of forms with a file, by path. */
export const fileForms = () => features.flatMap((feature) => Object.entries(feature.fileForms ?? {}))

export const runsOf = (deps: Deps): AnyRun[] =>
  features.flatMap(({ runs }) => runs?.({ ...deps, onAccountDeleted: onAccountDeleted(deps) }) ?? [])

export const jobsOf = (deps: Deps): FeatureJobs[] => [
  ...features.flatMap(({ jobs }) => jobs?.(deps) ?? []),
  runJobs(deps, runsOf(deps)),
]

export const enqueuedEarly: readonly QueuedJob[] = features.flatMap((feature) => feature.enqueuedEarly ?? [])

export const resources: readonly Resource[] = features.flatMap((feature) => feature.resources ?? [])

export const exportedData = exportedParts(Object.assign({}, ...features.map((feature) => feature.exportedData)))

export const onAccountDeleted =
  (deps: Deps): AccountHook =>
  async (tx, userId) => {
    for (const feature of features.toReversed()) await feature.onAccountDeleted?.(tx, userId, deps)
  }

export const onProfileReset: AccountHook = async (tx, userId) => {
  for (const feature of features) await feature.onProfileReset?.(tx, userId)
}

export const onTeamTransferred: TransferHook = async (tx, from, to) => {
  for (const feature of features) await feature.onTeamTransferred?.(tx, from, to)
}

export const onVisitorKnown =
  (deps: Deps): VisitorHook =>
  async (userId, visitor) => {
    for (const feature of features) {
      await feature
        .onVisitorKnown?.(userId, visitor, deps)
        .catch((error: unknown) => deps.logger.warn({ err: error }, 'recording where someone came from failed'))
    }
  }

export const onSignedIn =
  (deps: Deps): SignInHook =>
  async (signedIn) => {
    for (const feature of features) {
      await feature
        .onSignedIn?.(deps, signedIn)
        .catch((error: unknown) => deps.logger.error({ err: error }, 'following up on a sign-in failed'))
    }
  }
