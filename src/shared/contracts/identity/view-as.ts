import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'

export const viewAsMinutes = 15

/**
 * Lets a staff member look at the portal as a member for a few minutes, without changing anything. Ends the staff member's
 * earlier view. Members see it in their account. Staff can't be viewed.
 */
export const adminViewAsCall = defineAdminCall({
  name: 'admin-view-as',
  roles: ['owner', 'support'],
  stepUp: true,
  input: z.object({ userId: z.uuid() }),
  output: z.object({
    /** Kept only in the tab that views. */
    token: z.string(),
    expiresAt: z.iso.datetime(),
    email: z.string(),
    /** Null until the member has confirmed the address. */
    emailConfirmedAt: z.iso.datetime().nullable(),
  }),
})

/** Ends the view whose token makes the call. */
export const endViewAsCall = defineCall({
  name: 'end-view-as',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ ended: z.boolean() }),
})
