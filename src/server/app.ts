import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { overviewCalls } from '#server/features/operations/overview/overview.calls.ts'
import { exportRoutes } from '#server/features/publishing/newsletter/admin/export-deliveries.ts'
import { newsletterCalls } from '#server/features/publishing/newsletter/admin/newsletter.calls.ts'
import type { BrowserConfig } from '#shared/contracts/browser-config.ts'
import { AppError, errorTable } from '#shared/errors.ts'
import { publishableKey } from '#shared/publishable-key.ts'
import { isDatabaseReady } from './db/is-database-ready.ts'
import { isDatabaseTimeout } from './db/sql-state.ts'
import type { Deps } from './deps.ts'
import { offersCalls } from './features/billing/offers/offers.calls.ts'
import { forgetListedAddress } from './features/billing/stripe-adoption/adoptions.ts'
import { stripeAdoptionCalls } from './features/billing/stripe-adoption/stripe-adoption.calls.ts'
import { hasAccess } from './features/billing/subscriptions/access.ts'
import { billingCalls } from './features/billing/subscriptions/billing.calls.ts'
import { createBillingCleanup } from './features/billing/subscriptions/on-account-deleted.ts'
import { stripeWebhookRoutes } from './features/billing/subscriptions/webhook.routes.ts'
import { createTeamCleanup } from './features/billing/teams/on-account-deleted.ts'
import { teamCalls } from './features/billing/teams/teams.calls.ts'
import { accountCalls } from './features/identity/account/account.calls.ts'
import { authCalls } from './features/identity/auth/auth.calls.ts'
import { authRoutes } from './features/identity/auth/auth.routes.ts'
import type { ResetProfile } from './features/identity/auth/auth-deps.ts'
import { handleAuthError } from './features/identity/auth/handle-auth-error.ts'
import { createPasswordHasher } from './features/identity/auth/passwords/password-hasher.ts'
import { requireAdminSecondFactor } from './features/identity/auth/security/step-up.ts'
import { createReadPrincipal } from './features/identity/auth/sessions/read-principal.ts'
import { createSessionCheck } from './features/identity/auth/sessions/session-check.ts'
import type { OnAccountDeleted } from './features/identity/auth/users/delete-user.ts'
import { deleteStaffInvitations } from './features/identity/staff/on-account-deleted.ts'
import { staffCalls } from './features/identity/staff/staff.calls.ts'
import { createViewing } from './features/identity/view-as/read-view-as.ts'
import { viewAsCalls } from './features/identity/view-as/view-as.calls.ts'
import { forgetViews } from './features/identity/view-as/view-as.ts'
import { contentCalls } from './features/library/content/content.calls.ts'
import { downloadRoutes } from './features/library/content/download.routes.ts'
import { guidePageRoutes } from './features/library/content/guide-pages.routes.ts'
import { freshnessCalls } from './features/library/freshness/freshness.calls.ts'
import { searchCalls } from './features/library/search/search.calls.ts'
import { adminCalls } from './features/operations/admin/admin.calls.ts'
import { apiKeysCalls } from './features/operations/api-keys/api-keys.calls.ts'
import { deleteApiAnswers } from './features/operations/api-keys/on-account-deleted.ts'
import { publicApiRoutes } from './features/operations/api-keys/public-api.routes.ts'
import { archiveCalls } from './features/operations/archive/archive.calls.ts'
import { archiveRoutes } from './features/operations/archive/archive-download.ts'
import { backupCalls } from './features/operations/backup/backup.calls.ts'
import { memberImportCalls } from './features/operations/member-import/member-import.calls.ts'
import { forgetImportedAddress } from './features/operations/member-import/member-imports.ts'
import { memberExportRoutes } from './features/operations/members/export-members.ts'
import { forgetNotes } from './features/operations/members/member-page/member-notes.ts'
import { memberPageCalls } from './features/operations/members/member-page/member-page.calls.ts'
import { membersCalls } from './features/operations/members/members.calls.ts'
import { outgoingWebhooksCalls } from './features/operations/outgoing-webhooks/outgoing-webhooks.calls.ts'
import { postImportCalls } from './features/operations/post-import/post-import.calls.ts'
import { setupChecklistCalls } from './features/operations/setup-checklist/setup-checklist.calls.ts'
import { deliverabilityCalls } from './features/publishing/deliverability/deliverability.calls.ts'
import { deliverabilityRoutes } from './features/publishing/deliverability/deliverability.routes.ts'
import { createEmailRecordCleanup } from './features/publishing/deliverability/on-account-deleted.ts'
import type { FetchText } from './features/publishing/deliverability/webhooks/sns-message.ts'
import { mediaRoutes } from './features/publishing/documents/media.routes.ts'
import { publishingCalls } from './features/publishing/documents/publishing.calls.ts'
import { redactEditor } from './features/publishing/documents/redact-editor.ts'
import { emailPreferencesCalls } from './features/publishing/email-preferences/email-preferences.calls.ts'
import { resetEmailChoices } from './features/publishing/email-preferences/stored-email-choices.ts'
import { unsubscribeRoutes } from './features/publishing/email-preferences/unsubscribe.routes.ts'
import { sendingSettingsCalls } from './features/publishing/sending-settings/sending-settings.calls.ts'
import { legalPageRoutes } from './features/publishing/site-settings/legal-pages.routes.ts'
import { siteSettingsCalls } from './features/publishing/site-settings/site-settings.calls.ts'
import { trustPagesCalls } from './features/publishing/trust-pages/trust-pages.calls.ts'
import { assignmentsCalls } from './features/reader/assignments/assignments.calls.ts'
import { forgetPerson, moveToNewOwner } from './features/reader/assignments/change-assignments.ts'
import { businessProfileCalls } from './features/reader/business-profile/business-profile.calls.ts'
import { deleteBusinessProfile } from './features/reader/business-profile/save-business-profile.ts'
import { firstWeekCalls } from './features/reader/first-week/first-week.calls.ts'
import { franchisorRulesCalls } from './features/reader/franchisor-rules/franchisor-rules.calls.ts'
import { itemMarksCalls } from './features/reader/item-marks/item-marks.calls.ts'
import { offlineCalls } from './features/reader/offline/offline.calls.ts'
import { onboardingCalls } from './features/reader/onboarding/onboarding.calls.ts'
import { personalizationCalls } from './features/reader/personalization/personalization.calls.ts'
import { deletePreferences } from './features/reader/preferences/preferences-store.ts'
import { savedCalls } from './features/reader/saved/saved.calls.ts'
import { sharingCalls } from './features/reader/sharing/sharing.calls.ts'
import { sharingRoutes } from './features/reader/sharing/sharing.routes.ts'
import { forgetTries } from './features/reader/tries/count-answers.ts'
import { triesCalls } from './features/reader/tries/tries.calls.ts'
import type { AppEnv } from './http/app-env.ts'
import { limitBodySize } from './http/body-size.ts'
import { cors } from './http/cors.ts'
import type { Principal } from './http/principal.ts'
import { fileLimits, functionRoutes } from './http/product-calls.ts'
import { requestContext } from './http/request-context.ts'
import { securityHeaders } from './http/security-headers.ts'
import { pagesRoutes } from './pages/pages.routes.ts'
import { answerRestError, restRoutes } from './protocol/rest.routes.ts'
import { resources } from './rest-resources.ts'

/** For all calls except those that take a file, whose contracts set their own limit. */
const maxBodyBytes = 1024 * 1024
/** For all bodies in progress, to protect the memory of a small server. */
const maxTotalBodyBytes = 64 * 1024 * 1024

export type AppOptions = Deps & {
  /** Routes of one mode, such as the sandbox inbox, and the built pages. */
  extraRoutes?: readonly Hono<AppEnv>[]
  /** Fetches a URL; replaced in tests. */
  fetchText?: FetchText
}

/** Creates the server's routes. Opens no port and does no I/O. */
export function createApp(options: AppOptions) {
  const { extraRoutes = [], ...deps } = options
  const readPrincipal = createReadPrincipal(deps)
  const account = {
    ...deps,
    hasher: createPasswordHasher(deps.hashCost),
    onAccountDeleted: createOnAccountDeleted(deps),
  }
  const functionDeps = {
    readPrincipal,
    viewing: createViewing(deps),
    hasAccess: (who: Principal) => hasAccess(deps.config, who, deps.clock()),
    requireAdminSecondFactor: (who: Principal) => requireAdminSecondFactor(deps, who),
  }

  const online = [
    ...billingCalls(deps),
    ...onboardingCalls(deps),
    ...personalizationCalls(deps),
    ...contentCalls(deps),
    ...searchCalls(deps),
    ...businessProfileCalls(deps),
    ...franchisorRulesCalls(deps),
    ...savedCalls(deps),
    ...firstWeekCalls(deps),
    ...freshnessCalls(deps),
    ...itemMarksCalls(deps),
    ...sharingCalls(deps),
    ...publishingCalls(deps),
    ...staffCalls(deps),
    ...apiKeysCalls(deps),
    ...outgoingWebhooksCalls(deps),
    ...archiveCalls(deps),
    ...postImportCalls(deps),
    ...adminCalls(deps),
    ...backupCalls(deps),
    ...authCalls(deps),
    ...accountCalls(account),
    ...triesCalls(deps),
    ...teamCalls({ ...deps, onTeamTransferred: moveToNewOwner }),
    ...assignmentsCalls(deps),
    ...emailPreferencesCalls(deps),
    ...sendingSettingsCalls(deps),
    ...offersCalls(deps),
    ...siteSettingsCalls(deps),
    ...setupChecklistCalls(deps),
    ...trustPagesCalls(deps),
    ...membersCalls(deps),
    ...memberImportCalls(deps),
    ...stripeAdoptionCalls(deps),
    ...memberPageCalls(deps),
    ...viewAsCalls(deps),
    ...newsletterCalls(deps),
    ...deliverabilityCalls(deps),
    ...overviewCalls(deps),
  ]
  const implementations = [...online, ...offlineCalls(deps, online)]

  const app = new Hono<AppEnv>()
    .use(requestContext(deps))
    .use(securityHeaders(deps.config))
    .use('/auth/v1/*', cors)
    .use('/rest/v1/*', cors)
    .use('/functions/v1/*', cors)
    .use(
      limitBodySize({
        maxBytes: maxBodyBytes,
        larger: fileLimits(implementations),
        maxTotalBytes: maxTotalBodyBytes,
      }),
    )
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const ready = await isDatabaseReady(deps.database)
      return c.json({ status: ready ? 'ready' : 'database unavailable' }, ready ? 200 : 503, {
        'Cache-Control': 'no-store',
      })
    })
    .get('/config.json', (c) =>
      c.json<BrowserConfig>({
        url: deps.config.publicUrl,
        publishableKey,
        sandbox: deps.config.mode === 'sandbox',
      }),
    )
    .route('/', authRoutes({ ...account, readPrincipal, resetProfile }))
    .route('/', restRoutes({ ...deps, sessionCheck: createSessionCheck(deps) }, resources))
    .route('/', stripeWebhookRoutes(deps))
    .route('/', downloadRoutes(deps))
    .route('/', guidePageRoutes(deps))
    .route('/', sharingRoutes(deps))
    .route('/', memberExportRoutes(deps))
    .route('/', exportRoutes(deps))
    .route('/', archiveRoutes(deps))
    .route('/', mediaRoutes(deps))
    .route('/', unsubscribeRoutes(deps))
    .route('/', legalPageRoutes(deps))
    .route('/', deliverabilityRoutes(deps))
    .route('/', publicApiRoutes(deps))
    .route('/', functionRoutes(functionDeps, implementations))
    .route('/', pagesRoutes())
  for (const routes of extraRoutes) app.route('/', routes)

  return app
    .notFound((c) => {
      const [status, message] = errorTable.not_found
      return c.json({ error: message, code: 'not_found', message }, status)
    })
    .onError((error, c) => {
      // Errors in middleware, such as a body that is too large, also use the API's error format.
      if (c.req.path.startsWith('/auth/v1/')) return handleAuthError(error, c)
      if (c.req.path.startsWith('/rest/v1/')) return answerRestError(error, c)
      if (error instanceof AppError) {
        const body = { error: error.message, code: error.code, message: error.message }
        return c.json(body, error.status as ContentfulStatusCode)
      }
      c.var.logger?.error({ err: error, requestId: c.var.requestId }, 'unexpected failure')
      const code = isDatabaseTimeout(error) ? 'server_busy' : 'unexpected_failure'
      const [status, message] = errorTable[code]
      return c.json({ error: message, code, message }, status)
    })
}

/** Combines the cleanups of all features that store data about an account. */
function createOnAccountDeleted(deps: Deps): OnAccountDeleted {
  const cleanUpTeam = createTeamCleanup(deps)
  const cleanUpBilling = createBillingCleanup(deps)
  const cleanUpEmailRecords = createEmailRecordCleanup(deps)
  return async (tx, userId) => {
    await cleanUpTeam(tx, userId)
    await cleanUpBilling(tx, userId)
    await cleanUpEmailRecords(tx, userId)
    await forgetImportedAddress(tx, userId)
    await forgetListedAddress(tx, userId)
    await forgetTries(tx, userId)
    await redactEditor(tx, userId)
    // A soft deletion keeps the user's row, so nothing cascades.
    await deleteBusinessProfile(tx, userId)
    await forgetPerson(tx, userId)
    await deleteStaffInvitations(tx, userId)
    await deleteApiAnswers(tx, userId)
    await forgetNotes(tx, userId)
    await forgetViews(tx, userId)
  }
}

/** Deletes preferences and the business profile, which someone else may have entered before the address was confirmed. */
const resetProfile: ResetProfile = async (tx, userId) => {
  await deletePreferences(tx, userId)
  await resetEmailChoices(tx, userId)
  await deleteBusinessProfile(tx, userId)
}

export type App = ReturnType<typeof createApp>
