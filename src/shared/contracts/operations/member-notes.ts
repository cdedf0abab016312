import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const instant = z.iso.datetime()

export const maxNoteLength = 4_000
/** Notes that one member can have. */
export const maxNotesPerMember = 500

const memberNoteSchema = z.object({
  id: z.uuid(),
  text: z.string(),
  createdAt: instant,
  createdBy: z.string(),
  updatedAt: instant,
  /** Who edited it last. */
  updatedBy: z.string(),
})
export type MemberNote = z.infer<typeof memberNoteSchema>

const roles = ['owner', 'support'] as const

/** Notes about a member, newest first. */
export const adminMemberNotesCall = defineAdminCall({
  name: 'admin-member-notes',
  roles,
  input: z.object({ userId: z.uuid() }),
  output: z.object({ notes: z.array(memberNoteSchema) }),
})

/** Adds a note. The client chooses the id, so that a second click adds nothing. */
export const adminAddMemberNoteCall = defineAdminCall({
  name: 'admin-add-member-note',
  roles,
  invalidates: ['admin-member-notes', 'admin-member-timeline', 'admin-audit-log'],
  input: z.object({
    userId: z.uuid(),
    id: z.uuid(),
    text: z.string().trim().min(1, 'Write a note').max(maxNoteLength),
  }),
  output: z.object({ note: memberNoteSchema }),
})

/** Fails with `edit_conflict` if the note has changed since `updatedAt`. */
export const adminEditMemberNoteCall = defineAdminCall({
  name: 'admin-edit-member-note',
  roles,
  invalidates: ['admin-member-notes', 'admin-member-timeline', 'admin-audit-log'],
  input: z.object({
    id: z.uuid(),
    text: z.string().trim().min(1, 'Write a note').max(maxNoteLength),
    updatedAt: instant,
  }),
  output: z.object({ note: memberNoteSchema }),
})

/** `deleted` is false if the note was deleted before. */
export const adminDeleteMemberNoteCall = defineAdminCall({
  name: 'admin-delete-member-note',
  roles,
  invalidates: ['admin-member-notes', 'admin-member-timeline', 'admin-audit-log'],
  input: z.object({ id: z.uuid() }),
  output: z.object({ deleted: z.boolean() }),
})
