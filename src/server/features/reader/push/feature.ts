import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import { defineJob, scheduledJobs } from '#server/jobs/jobs.ts'
import { pushDeviceCall } from '#shared/contracts/reader/push.ts'
import { announceDrops, deliverPush, pushJob, usePushDevice } from './push.ts'

export const pushFeature: Feature = {
  calls: (deps) => [implement(pushDeviceCall, (input, who) => usePushDevice(deps, who, input))],
  enqueuedEarly: [pushJob],
  jobs: (deps) =>
    scheduledJobs({ 'announce-drops': { cron: '* * * * *', run: () => announceDrops(deps) } }, [
      defineJob({ ...pushJob, run: (job) => deliverPush(deps, job) }),
    ]),
}
