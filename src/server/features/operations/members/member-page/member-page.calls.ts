import type { FeatureDeps } from '#server/feature.ts'
import { exportMember } from '#server/features/identity/account/export-account.ts'
import { listSessionsOf } from '#server/features/identity/auth/sessions/list-sessions.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import type { Principal } from '#server/http/principal.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as memberAccountContracts from '#shared/contracts/operations/member-account.ts'
import * as memberNewslettersContracts from '#shared/contracts/operations/member-newsletters.ts'
import * as memberNotesContracts from '#shared/contracts/operations/member-notes.ts'
import * as memberPageContracts from '#shared/contracts/operations/member-page.ts'
import { addMember, changeMember } from '../member-account/add-and-change-member.ts'
import { deleteMember } from '../member-account/delete-member.ts'
import { checkMerge, mergeMembers } from '../member-account/merge-members.ts'
import { readMemberNewsletters, setMemberNewsletter } from './member-newsletters.ts'
import { addNote, deleteNote, editNote, listNotes } from './member-notes.ts'
import { endMemberSessions } from './member-sessions.ts'
import { readMember } from './read-member.ts'
import { readTimeline } from './read-timeline.ts'

export const memberPageCalls = (deps: FeatureDeps): Implementation[] => [
  implement(memberNotesContracts.adminMemberNotesCall, ({ userId }) => listNotes(deps.database.db, userId)),
  implement(memberNotesContracts.adminAddMemberNoteCall, (note, who) => addNote(deps, who, note)),
  implement(memberNotesContracts.adminEditMemberNoteCall, (edit, who) => editNote(deps, who, edit)),
  implement(memberNotesContracts.adminDeleteMemberNoteCall, (note, who) => deleteNote(deps, who, note)),
  implement(memberPageContracts.adminMemberCall, ({ userId }, who) => readMember(deps, userId, seesMoney(who))),
  implement(memberPageContracts.adminMemberTimelineCall, (query, who) =>
    readTimeline(deps, { ...query, seesMoney: seesMoney(who) }),
  ),
  implement(memberPageContracts.adminMemberSessionsCall, async ({ userId }) => ({
    sessions: await listSessionsOf(deps.database, userId, null, deps.clock()),
  })),
  implement(memberPageContracts.adminEndMemberSessionsCall, async (wanted, who) => {
    await requireManageable(deps.database.db, who, wanted.userId)
    return endMemberSessions(deps, who, wanted)
  }),
  implement(memberNewslettersContracts.adminMemberNewslettersCall, ({ userId }) =>
    readMemberNewsletters(deps.database.db, userId),
  ),
  implement(memberNewslettersContracts.adminSetMemberNewsletterCall, (change, who) =>
    setMemberNewsletter(deps, who, change),
  ),
  implement(memberAccountContracts.adminAddMemberCall, (member, who) => addMember(deps, who, member)),
  implement(memberAccountContracts.adminChangeMemberCall, (change, who) => changeMember(deps, who, change)),
  implement(memberAccountContracts.adminExportMemberCall, ({ userId }, who) => exportMember(deps, who, userId)),
  implement(memberAccountContracts.adminCheckMergeCall, (wanted, who) => checkMerge(deps, who, wanted)),
  implement(memberAccountContracts.adminMergeMembersCall, (wanted, who) => mergeMembers(deps, who, wanted)),
  implement(memberAccountContracts.adminDeleteMemberCall, (wanted, who) => deleteMember(deps, who, wanted)),
]

/** Amounts of money are for owners. */
const seesMoney = ({ staffRole }: Principal) => staffRole === 'owner'
