import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { mediaRoutes } from './media.routes.ts'
import { publishingCalls } from './publishing.calls.ts'
import { publishingJobs } from './publishing.jobs.ts'
import { redactEditor } from './redact-editor.ts'

export const documentsFeature: Feature = {
  calls: publishingCalls,
  routes: (deps) => [mediaRoutes(deps)],
  jobs: publishingJobs,
  onAccountDeleted: redactEditor,
  exportedData,
}
