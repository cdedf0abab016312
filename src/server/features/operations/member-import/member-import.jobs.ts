import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { maintainImports, memberImportJob } from './member-imports.ts'
import { runImport } from './run-import.ts'

const maintenanceName = 'member-import-maintenance'

export function memberImportJobs(deps: Deps): FeatureJobs {
  const jobs = [
    defineJob({ ...memberImportJob, run: ({ importId }) => runImport(deps, importId) }),
    // The schedule has no payload.
    defineJob({ name: maintenanceName, payload: z.unknown(), retryLimit: 0, run: () => maintainImports(deps) }),
  ]
  return { jobs: jobs as AnyJob[], schedules: [{ job: maintenanceName, cron: '* * * * *' }] }
}
