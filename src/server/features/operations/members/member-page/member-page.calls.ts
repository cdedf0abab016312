import type { FeatureDeps } from '#server/feature.ts'
import { exportMember } from '#server/features/identity/account/export-account.ts'
import { listSessionsOf } from '#server/features/identity/auth/sessions/list-sessions.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import type { Principal } from '#server/http/principal.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminAddMemberCall,
  adminChangeMemberCall,
  adminCheckMergeCall,
  adminDeleteMemberCall,
  adminExportMemberCall,
  adminMergeMembersCall,
} from '#shared/contracts/operations/member-account.ts'
import {
  adminMemberNewslettersCall,
  adminSetMemberNewsletterCall,
} from '#shared/contracts/operations/member-newsletters.ts'
import {
  adminAddMemberNoteCall,
  adminDeleteMemberNoteCall,
  adminEditMemberNoteCall,
  adminMemberNotesCall,
} from '#shared/contracts/operations/member-notes.ts'
import {
  adminEndMemberSessionsCall,
  adminMemberCall,
  adminMemberSessionsCall,
  adminMemberTimelineCall,
} from '#shared/contracts/operations/member-page.ts'
import { addMember, changeMember } from '../member-account/add-and-change-member.ts'
import { deleteMember } from '../member-account/delete-member.ts'
import { checkMerge, mergeMembers } from '../member-account/merge-members.ts'
import { readMemberNewsletters, setMemberNewsletter } from './member-newsletters.ts'
import { addNote, deleteNote, editNote, listNotes } from './member-notes.ts'
import { endMemberSessions } from './member-sessions.ts'
import { readMember } from './read-member.ts'
import { readTimeline } from './read-timeline.ts'

export const memberPageCalls = (deps: FeatureDeps): Implementation[] => [
  implement(adminMemberNotesCall, ({ userId }) => listNotes(deps.database.db, userId)),
  implement(adminAddMemberNoteCall, (note, who) => addNote(deps, who, note)),
  implement(adminEditMemberNoteCall, (edit, who) => editNote(deps, who, edit)),
  implement(adminDeleteMemberNoteCall, (note, who) => deleteNote(deps, who, note)),
  implement(adminMemberCall, ({ userId }, who) => readMember(deps, userId, seesMoney(who))),
  implement(adminMemberTimelineCall, (query, who) => readTimeline(deps, { ...query, seesMoney: seesMoney(who) })),
  implement(adminMemberSessionsCall, async ({ userId }) => ({
    sessions: await listSessionsOf(deps.database, userId, null, deps.clock()),
  })),
  implement(adminEndMemberSessionsCall, async (wanted, who) => {
    await requireManageable(deps.database.db, who, wanted.userId)
    return endMemberSessions(deps, who, wanted)
  }),
  implement(adminMemberNewslettersCall, ({ userId }) => readMemberNewsletters(deps.database.db, userId)),
  implement(adminSetMemberNewsletterCall, (change, who) => setMemberNewsletter(deps, who, change)),
  implement(adminAddMemberCall, (member, who) => addMember(deps, who, member)),
  implement(adminChangeMemberCall, (change, who) => changeMember(deps, who, change)),
  implement(adminExportMemberCall, ({ userId }, who) => exportMember(deps, who, userId)),
  implement(adminCheckMergeCall, (wanted, who) => checkMerge(deps, who, wanted)),
  implement(adminMergeMembersCall, (wanted, who) => mergeMembers(deps, who, wanted)),
  implement(adminDeleteMemberCall, (wanted, who) => deleteMember(deps, who, wanted)),
]

/** Amounts of money are for owners. */
const seesMoney = ({ staffRole }: Principal) => staffRole === 'owner'
