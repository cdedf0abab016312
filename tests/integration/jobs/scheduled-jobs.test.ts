import { expect, test } from 'vitest'
import { z } from 'zod'
import { jobsOf } from '#server/all-features.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { smsJob } from '#server/jobs/sms-job.ts'
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

test('no job refuses fields that it doesn’t know, such as those of a later version', () => {
  const all = [...jobsOf(server.deps).flatMap(({ jobs }) => jobs), emailJob, smsJob]
  const refuses = ({ payload }: { payload: z.ZodType }) =>
    payload.safeParse({ later: '' }).error?.issues.some(({ code }) => code === 'unrecognized_keys') ?? false
  expect(refuses({ payload: z.strictObject({ id: z.string() }) })).toBe(true)
  expect(all.filter(refuses).map(({ name }) => name)).toEqual([])
})
