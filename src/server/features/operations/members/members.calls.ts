import type { Deps } from '#server/feature.ts'
import { deleteView, listViews, saveView } from '#server/features/publishing/segments/views.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as bulkActionsContracts from '#shared/contracts/operations/bulk-actions.ts'
import { adminMemberTagsCall, adminSetMemberTagsCall } from '#shared/contracts/operations/member-tags.ts'
import { adminCountMembersCall, adminMembersCall } from '#shared/contracts/operations/members.ts'
import * as memberViewsContracts from '#shared/contracts/publishing/member-views.ts'
import { listBulkActions, previewBulkAction, startBulkAction, undoAction } from './bulk-actions.ts'
import { createMembersExport } from './export-members.ts'
import { countMembers, listMembers } from './list-members.ts'
import { listTagsInUse, readMemberTags, setMemberTags } from './member-tags.ts'

export const membersCalls = (deps: Deps): Implementation[] => [
  implement(adminMembersCall, (query) => listMembers({ ...deps, db: deps.database.db }, query, deps.clock())),
  implement(adminCountMembersCall, async ({ filter }) => {
    const { db } = deps.database
    const [counted, tagsInUse] = await Promise.all([
      countMembers({ ...deps, db }, filter, deps.clock()),
      listTagsInUse(db),
    ])
    return { ...counted, tagsInUse }
  }),
  implement(memberViewsContracts.adminMemberViewsCall, () => listViews(deps.database.db)),
  implement(memberViewsContracts.adminSaveMemberViewCall, (view, who) => saveView(deps, who, view)),
  implement(memberViewsContracts.adminDeleteMemberViewCall, ({ id }, who) => deleteView(deps, who, id)),
  implement(bulkActionsContracts.adminPreviewBulkActionCall, (wanted, who) => previewBulkAction(deps, who, wanted)),
  implement(bulkActionsContracts.adminStartBulkActionCall, (wanted, who) => startBulkAction(deps, who, wanted)),
  implement(bulkActionsContracts.adminBulkActionsCall, () => listBulkActions(deps.database.db)),
  implement(bulkActionsContracts.adminUndoBulkActionCall, ({ id }, who) => undoAction(deps, who, id)),
  implement(bulkActionsContracts.adminExportMembersCall, ({ target }, who) => createMembersExport(deps, who, target)),
  implement(adminMemberTagsCall, ({ userId }) => readMemberTags(deps.database.db, userId)),
  implement(adminSetMemberTagsCall, (wanted, who) => setMemberTags(deps, who, wanted)),
]
