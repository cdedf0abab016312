import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/operations/post-imports.ts'
import { createFetchFile, fetchNothing } from './fetch-file.ts'
import {
  cancelPostImport,
  deleteOldPostFiles,
  listPostImportItems,
  listPostImports,
  postImportRun,
  reportPostImport,
  startPostImport,
  uploadPosts,
} from './post-imports.ts'
import { postImportSteps } from './run-post-import.ts'

function postImportCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(contracts.adminPostImportsCall, async () => ({ items: await listPostImports(db) })),
    implement(contracts.adminUploadPostsCall, ({ name }, who, request) =>
      uploadPosts(deps, who, { name, bytes: request.streamFile() }),
    ),
    implement(contracts.adminStartPostImportCall, (start, who) => startPostImport(deps, who, start)),
    implement(contracts.adminCancelPostImportCall, ({ id }, who) => cancelPostImport(deps, who, id)),
    implement(contracts.adminPostImportItemsCall, (query) => listPostImportItems(db, query)),
    implement(contracts.adminPostImportReportCall, async ({ id }) => ({ csv: await reportPostImport(db, id) })),
  ]
}

export const postImportFeature: Feature = {
  calls: postImportCalls,
  jobs: (deps) =>
    scheduledJobs({ 'delete-old-post-files': { cron: '17 * * * *', run: () => deleteOldPostFiles(deps) } }),
  runs: (deps) => [
    postImportSteps({ ...deps, fetchFile: deps.config.mode === 'sandbox' ? fetchNothing : createFetchFile() }),
  ],
  enqueuedEarly: [postImportRun],
}
