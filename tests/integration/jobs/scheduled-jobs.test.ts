import { expect, test } from 'vitest'
import { jobsOf } from '#server/all-features.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())

test('every scheduled job exists and accepts null, which the scheduler passes to it', () => {
  const features = jobsOf(server.deps)
  const jobs = new Map(features.flatMap((feature) => feature.jobs.map((job) => [job.name, job])))
  const scheduled = features.flatMap(({ schedules }) => schedules.map(({ job }) => job))
  expect(scheduled).toContain('sweep-expired')
  expect(scheduled.filter((name) => !jobs.get(name)?.payload.safeParse(null).success)).toEqual([])
})
