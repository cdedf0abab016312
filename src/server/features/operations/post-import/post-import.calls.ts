import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
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
      uploadPosts(deps, actorOf(who, request), { name, bytes: request.streamFile() }),
    ),
    implement(adminStartPostImportCall, (start, who, request) => startPostImport(deps, actorOf(who, request), start)),
    implement(adminCancelPostImportCall, ({ id }, who, request) => cancelPostImport(deps, actorOf(who, request), id)),
    implement(adminPostImportItemsCall, (query) => listPostImportItems(db, query)),
    implement(adminPostImportReportCall, async ({ id }) => ({ csv: await reportPostImport(db, id) })),
  ]
}
