/** Which integration tests belong to which database engine. Folders end in a slash; paths are relative to the project. */

/** Their result doesn't depend on the engine of DATABASE_URL. They run once, without it. */
export const withoutPostgres = [
  'packages/',
  'tests/integration/db/pglite-parsers.test.ts',
  'tests/integration/mail/',
  'tests/integration/robustness/kill.test.ts',
  'tests/integration/operator/control-server.test.ts',
  'tests/integration/setup/',
]

/** `npm test` runs these on both engines, since the behavior they test differs. */
export const onBothEngines = [
  'tests/integration/archive/',
  'tests/integration/backup/',
  'tests/integration/db/',
  'tests/integration/jobs/',
  'tests/integration/newsletter/sending/',
  'tests/integration/operator/',
  'tests/integration/publishing/migrations.test.ts',
  'tests/integration/search/',
]
