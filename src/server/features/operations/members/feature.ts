import type { Feature } from '#server/feature.ts'
import { bulkActionRun, bulkActionSteps } from './bulk-actions.ts'
import { memberExportRoutes } from './export-members.ts'
import { memberPageCalls } from './member-page/member-page.calls.ts'
import { memberSupportCalls } from './member-support/member-support.calls.ts'
import { membersCalls } from './members.calls.ts'
import { personalEmailCalls } from './personal-email/personal-email.calls.ts'

export const membersFeature: Feature = {
  calls: (deps) => [
    ...membersCalls(deps),
    ...memberPageCalls(deps),
    ...memberSupportCalls(deps),
    ...personalEmailCalls(deps),
  ],
  routes: (deps) => [memberExportRoutes(deps)],
  runs: (deps) => [bulkActionSteps(deps)],
  enqueuedEarly: [bulkActionRun],
}
