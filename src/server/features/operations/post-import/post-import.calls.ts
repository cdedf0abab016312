import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminCancelPostImportCall,
  adminPostImportItemsCall,
  adminPostImportReportCall,
  adminPostImportsCall,
  adminStartPostImportCall,
  adminUploadPostsCall,
} from '#shared/contracts/operations/post-imports.ts'
import {
  cancelPostImport,
  listPostImportItems,
  listPostImports,
  reportPostImport,
  startPostImport,
  uploadPosts,
} from './post-imports.ts'

export function postImportCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminPostImportsCall, async () => ({ items: await listPostImports(db) })),
    implement(adminUploadPostsCall, ({ name }, who, request) =>
      uploadPosts(deps, who, { name, bytes: request.streamFile() }),
    ),
    implement(adminStartPostImportCall, (start, who) => startPostImport(deps, who, start)),
    implement(adminCancelPostImportCall, ({ id }, who) => cancelPostImport(deps, who, id)),
    implement(adminPostImportItemsCall, (query) => listPostImportItems(db, query)),
    implement(adminPostImportReportCall, async ({ id }) => ({ csv: await reportPostImport(db, id) })),
  ]
}
