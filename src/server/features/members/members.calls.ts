import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/auth/security/admin-event.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminMemberTagsCall, adminSetMemberTagsCall } from '#shared/contracts/member-tags.ts'
import { readMemberTags, setMemberTags } from './member-tags.ts'

export const membersCalls = (deps: Deps): Implementation[] => [
  implement(adminMemberTagsCall, ({ userId }) => readMemberTags(deps.database.db, userId)),
  implement(adminSetMemberTagsCall, (wanted, who, request) => setMemberTags(deps, actorOf(who, request), wanted)),
]
