/** Which tests prove the product to someone who just cloned it. Paths are relative to the project, folders end in a slash. */

/** `npm test` runs `main`, `npm run test:rest` the rest. Set in TEST_PART; without it, all tests run. */
export type Part = 'main' | 'rest'

/** Integration tests whose result doesn't depend on the engine of DATABASE_URL. They run once, without it. */
export const withoutPostgres = [
  'packages/',
  'tests/integration/db/pglite-parsers.test.ts',
  'tests/integration/mail/',
  'tests/integration/robustness/kill.test.ts',
  'tests/integration/operator/control-server.test.ts',
  'tests/integration/setup/',
]

/** Integration tests that take long on PGlite. All others are part of `main`. */
export const longOnPglite = [
  'packages/',
  'tests/integration/account/',
  'tests/integration/admin/admin-second-factor.test.ts',
  'tests/integration/admin/audit-every-change.test.ts',
  'tests/integration/archive/',
  'tests/integration/attacks/',
  'tests/integration/auth/mfa-sign-in.test.ts',
  'tests/integration/auth/session-ends-mid-request.test.ts',
  'tests/integration/backup/',
  'tests/integration/billing/price-moves.test.ts',
  'tests/integration/billing/random-histories.test.ts',
  'tests/integration/billing/revenue.test.ts',
  'tests/integration/billing/trial.test.ts',
  'tests/integration/content/content-items.test.ts',
  'tests/integration/content/seed-content.test.ts',
  'tests/integration/db/upgrade/',
  'tests/integration/deliverability/',
  'tests/integration/email-replies/',
  'tests/integration/free-edition/free-edition.test.ts',
  'tests/integration/jobs/',
  'tests/integration/journeys/a-members-life.test.ts',
  'tests/integration/member-import/sources.test.ts',
  'tests/integration/members/filters.test.ts',
  'tests/integration/members/views-and-bulk.test.ts',
  'tests/integration/mailings/admin.test.ts',
  'tests/integration/mailings/sending/',
  'tests/integration/operator/',
  'tests/integration/publishing/',
  'tests/integration/robustness/',
  'tests/integration/saved/',
  'tests/integration/series/',
  'tests/integration/setup/',
  'tests/integration/site-settings/',
  'tests/integration/visits/visits.test.ts',
]

/** Browser tests of `main`: what visitors, readers and publishers do most. */
export const mainJourneys = [
  'assignments.spec.ts',
  'auth.spec.ts',
  'billing.spec.ts',
  'drop-sections.spec.ts',
  'email-preferences.spec.ts',
  'fill-in-prompts.spec.ts',
  'landing.spec.ts',
  'member-import.spec.ts',
  'onboarding.spec.ts',
  'saved.spec.ts',
  'search.spec.ts',
]
