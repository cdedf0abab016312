import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { series } from '#server/db/schema/index.ts'
import { findProblems } from '#server/features/publishing/mailings/checks/locate-problem.ts'
import { contentDirectory } from '#server/seed/read-content-directory.ts'
import { readSampleSeries, seedSeries } from '#server/seed/seed-series.ts'
import { planOf } from '#shared/domain/plans.ts'
import { seriesEmailContent } from '#shared/domain/series.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
const samples = await readSampleSeries(contentDirectory)
const seed = () => server.database.db.transaction((tx) => seedSeries(tx, contentDirectory, server.clock.now))

test('the sample series are added once, turned off, and stay as they were edited', async () => {
  const { db } = server.database
  await seed()
  expect(await db.select({ status: series.status }).from(series)).toEqual(samples.map(() => ({ status: 'off' })))
  await db.update(series).set({ name: 'Mine' }).where(eq(series.name, 'Welcome'))
  await db.delete(series).where(eq(series.name, 'Win back'))
  await seed()
  const names = (await db.select({ name: series.name }).from(series)).map(({ name }) => name)
  expect(names).toHaveLength(samples.length - 1)
  expect(names).toContain('Mine')
})

const emails = samples.flatMap(({ name, steps }) =>
  steps.flatMap((step) => (step.kind === 'email' ? [{ name, ...step }] : [])),
)

test.each(emails)('the checks find no error in “$subject” of $name', async (step) => {
  const problems = await findProblems(server.deps, seriesEmailContent(step), { withoutNetwork: true })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('the samples name plans that there are', () => {
  const plans = samples.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'condition' ? step.filter.plans : [])),
  )
  expect(plans.map((key) => planOf(publicationDefaults, key).name)).toHaveLength(plans.length)
  expect(plans.length).toBeGreaterThan(0)
})
