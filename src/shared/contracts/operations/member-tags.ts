import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

export const maxTagLength = 40
/** Tags that one member can have. */
const maxTagsPerMember = 50

/** Lowercase with single spaces, so that a tag is found however it was typed. */
export const memberTagSchema = z
  .string()
  .transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase())
  .pipe(
    z
      .string()
      .min(1, 'Enter a tag')
      .max(maxTagLength, `Use at most ${maxTagLength} characters for a tag`)
      .regex(/^[^,\p{Cc}]*$/u, 'Tags can’t contain commas'),
  )

/** A member's tags, and those in use, for suggestions. */
export const adminMemberTagsCall = defineAdminCall({
  name: 'admin-member-tags',
  roles: ['owner', 'support'],
  input: z.object({ userId: z.uuid() }),
  output: z.object({ tags: z.array(z.string()), inUse: z.array(z.string()) }),
})

/** Replaces a member's tags. */
export const adminSetMemberTagsCall = defineAdminCall({
  name: 'admin-set-member-tags',
  roles: ['owner', 'support'],
  invalidates: ['admin-member-tags', 'admin-member-timeline', 'admin-audit-log'],
  input: z.object({ userId: z.uuid(), tags: z.array(memberTagSchema).max(maxTagsPerMember) }),
  output: z.object({ tags: z.array(z.string()) }),
})
