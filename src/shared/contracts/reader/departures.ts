import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

const count = z.number().int().nonnegative()

/**
 * What a member of the caller's team has besides open assignments. Numbers only: whom they share with and what they read
 * stays theirs. Fails with `not_in_team`, also for someone who left.
 */
export const departureCall = defineCall({
  name: 'departure',
  audience: 'user',
  input: z.object({ userId: z.uuid() }),
  output: z.object({ email: z.string(), shareLinks: count, sessions: count, assistants: count }),
})

/**
 * Ends a member's seat, links, sessions and connected assistants, and hands over what is open, all or nothing. A null `to`
 * leaves assignments with the person who left. Fails with `not_in_team`, also for the owner and when repeated, and like
 * `assign` for `to`.
 */
export const letMemberGoCall = defineCall({
  name: 'let-member-go',
  audience: 'user',
  stepUp: true,
  invalidates: ['team', 'team-assignments', 'item-marks'],
  input: z.object({
    userId: z.uuid(),
    to: z.union([z.object({ userId: z.uuid() }), z.object({ locationId: z.uuid() })]).nullable(),
  }),
  output: z.object({ reassigned: count, ended: count }),
})
