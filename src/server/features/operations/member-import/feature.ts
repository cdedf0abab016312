import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/operations/member-import.ts'
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
    implement(contracts.adminUploadMembersCall, async ({ name }, who, request) => {
      const id = await storeImportFile(deps, who, { name, bytes: request.streamFile() })
      return readImport(db, id)
    }),
    implement(contracts.adminMemberImportsCall, async () => ({ items: await listImports(db) })),
    implement(contracts.adminMemberImportCall, async ({ id }) => {
      const found = await readImport(db, id)
      const examples = await readExamples(db, found)
      return { ...found, examples }
    }),
    implement(contracts.adminCheckMembersCall, (check) => checkImport(deps, check)),
    implement(contracts.adminImportMembersCall, ({ id }, who) => startImport(deps, who, id)),
    implement(contracts.adminCancelMembersImportCall, ({ id }, who) => cancelImport(deps, who, id)),
    implement(contracts.adminMemberImportErrorsCall, (input) => readErrors(db, input)),
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
