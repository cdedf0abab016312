import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import {
  adminCancelMembersImportCall,
  adminCheckMembersCall,
  adminImportMembersCall,
  adminMemberImportCall,
  adminMemberImportErrorsCall,
  adminMemberImportsCall,
  adminUploadMembersCall,
} from '#shared/contracts/operations/member-import.ts'
import {
  cancelImport,
  checkImport,
  deleteOldImportData,
  forgetImportedAddress,
  listImports,
  readErrors,
  readExamples,
  readImport,
  startImport,
} from './member-imports.ts'
import { memberImportRun, memberImportSteps } from './run-import.ts'
import { storeImportFile } from './store-file.ts'

function memberImportCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminUploadMembersCall, async ({ name }, who, request) => {
      const id = await storeImportFile(deps, who, { name, bytes: request.streamFile() })
      return readImport(db, id)
    }),
    implement(adminMemberImportsCall, async () => ({ items: await listImports(db) })),
    implement(adminMemberImportCall, async ({ id }) => {
      const found = await readImport(db, id)
      const examples = await readExamples(db, found)
      return { ...found, examples }
    }),
    implement(adminCheckMembersCall, (check) => checkImport(deps, check)),
    implement(adminImportMembersCall, ({ id }, who) => startImport(deps, who, id)),
    implement(adminCancelMembersImportCall, ({ id }, who) => cancelImport(deps, who, id)),
    implement(adminMemberImportErrorsCall, (input) => readErrors(db, input)),
  ]
}

export const memberImportFeature: Feature = {
  calls: memberImportCalls,
  jobs: (deps) =>
    scheduledJobs({ 'member-import-maintenance': { cron: '*/10 * * * *', run: () => deleteOldImportData(deps) } }),
  runs: (deps) => [memberImportSteps(deps)],
  enqueuedEarly: [memberImportRun],
  onAccountDeleted: forgetImportedAddress,
}
