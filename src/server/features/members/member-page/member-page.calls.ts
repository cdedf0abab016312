import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/auth/security/admin-event.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminAddMemberNoteCall,
  adminDeleteMemberNoteCall,
  adminEditMemberNoteCall,
  adminMemberNotesCall,
} from '#shared/contracts/member-notes.ts'
import { addNote, deleteNote, editNote, listNotes } from './member-notes.ts'

export const memberPageCalls = (deps: Deps): Implementation[] => [
  implement(adminMemberNotesCall, ({ userId }) => listNotes(deps.database.db, userId)),
  implement(adminAddMemberNoteCall, (note, who, request) => addNote(deps, actorOf(who, request), note)),
  implement(adminEditMemberNoteCall, (edit, who, request) => editNote(deps, actorOf(who, request), edit)),
  implement(adminDeleteMemberNoteCall, (note, who, request) => deleteNote(deps, actorOf(who, request), note)),
]
