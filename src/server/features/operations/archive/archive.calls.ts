import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminArchiveLinkCall,
  adminArchivesCall,
  adminCreateArchiveCall,
  adminDeleteArchiveCall,
} from '#shared/contracts/operations/archives.ts'
import { createArchiveLink } from './archive-download.ts'
import { deleteArchive, listArchives, requestArchive } from './archives.ts'

export const archiveCalls = (deps: Deps): Implementation[] => [
  implement(adminArchivesCall, async () => ({ items: await listArchives(deps) })),
  implement(adminCreateArchiveCall, (_input, who, request) => requestArchive(deps, actorOf(who, request))),
  implement(adminArchiveLinkCall, ({ id }, who, request) =>
    createArchiveLink(deps, { who, actor: actorOf(who, request) }, id),
  ),
  implement(adminDeleteArchiveCall, async ({ id }, who, request) => {
    await deleteArchive(deps, actorOf(who, request), id)
    return {}
  }),
]
