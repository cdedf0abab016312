import type { Deps } from '#server/deps.ts'
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
  implement(adminCreateArchiveCall, (_input, who) => requestArchive(deps, who)),
  implement(adminArchiveLinkCall, ({ id }, who) => createArchiveLink(deps, who, id)),
  implement(adminDeleteArchiveCall, async ({ id }, who) => {
    await deleteArchive(deps, who, id)
    return {}
  }),
]
