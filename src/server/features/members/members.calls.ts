import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/auth/security/admin-event.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminMemberTagsCall, adminSetMemberTagsCall } from '#shared/contracts/member-tags.ts'
import { adminCountMembersCall, adminMembersCall } from '#shared/contracts/members.ts'
import { countMembers } from './count-members.ts'
import { listMembers } from './list-members.ts'
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
  implement(adminMemberTagsCall, ({ userId }) => readMemberTags(deps.database.db, userId)),
  implement(adminSetMemberTagsCall, (wanted, who, request) => setMemberTags(deps, actorOf(who, request), wanted)),
]
