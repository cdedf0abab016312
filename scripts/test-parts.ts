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
export const longOnPglite = ['tests/integration/backup/']

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
