import { z } from 'zod'
import { memberQueries } from '#shared/contracts/billing/member-billing.ts'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { accountDataSchema } from '#shared/contracts/identity/account-security.ts'

/* One member's account: adding, reading, changing, disabling and deleting it. */

const name = z.string().trim().max(200, 'Use at most 200 characters').nullable()
const email = z.string().trim().min(1, 'Enter an email address').max(320)

/** How a member that staff add gets newsletters. */
export const addedMemberEmails = ['confirm', 'vouched'] as const

/**
 * Adds a member without a password. `confirm` emails them how to sign in, which confirms the address; with `vouched`, staff
 * answer for address and consent, and no email is sent. A repeated `id` adds nothing.
 */
export const adminAddMemberCall = defineAdminCall({
  name: 'admin-add-member',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: ['admin-members'],
  input: z.object({
    /** Becomes the account's id. */
    id: z.uuid(),
    email,
    name,
    emails: z.enum(addedMemberEmails),
    /** End of complimentary access, which is announced by email; null for the free edition. */
    complimentaryUntil: z.iso.datetime().nullable(),
  }),
  output: z.object({ userId: z.uuid() }),
})

/** How an address changes: `awaiting-new` and `awaiting-both` name the mailboxes that have to confirm it. */
export const addressChanges = ['none', 'replaced', 'awaiting-new', 'awaiting-both'] as const

/**
 * Changes name and address. A new address has to be confirmed, and so does the old one if it was; owners can leave out the
 * old one. An address that was never used is replaced at once. Fails with `edit_conflict` if the member has changed since
 * `known`.
 */
export const adminChangeMemberCall = defineAdminCall({
  name: 'admin-change-member',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: memberQueries,
  input: z.object({
    userId: z.uuid(),
    name,
    email,
    /** The values that the form showed. */
    known: z.object({ name: z.string().max(6_000).nullable(), email: z.string().max(320) }),
    /** The member can't open the old mailbox. For owners. */
    isOldMailboxLost: z.boolean().default(false),
  }),
  output: z.object({ address: z.enum(addressChanges) }),
})

/**
 * Everything stored about a member, as one JSON document, to answer a data request. The member gets an email about it. Ten
 * an hour.
 */
export const adminExportMemberCall = defineAdminCall({
  name: 'admin-export-member',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-member-timeline', 'admin-audit-log'],
  input: z.object({ userId: z.uuid() }),
  output: accountDataSchema,
})

/** What merging another account into a member's would move, or why it can't be merged. Changes nothing. */
export const adminCheckMergeCall = defineAdminCall({
  name: 'admin-check-merge',
  roles: ['owner', 'support'],
  input: z.object({ userId: z.uuid(), email }),
  output: z.object({
    other: z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable(), joinedAt: z.iso.datetime() }),
    refusal: z.string().nullable(),
    moved: z.array(z.object({ what: z.string(), count: z.int() })),
  }),
})

/**
 * Moves what another account has to a member's, and deletes the other. A second call changes nothing. Fails with
 * `validation_failed` if the other one pays, has a team or belongs to the staff.
 */
export const adminMergeMembersCall = defineAdminCall({
  name: 'admin-merge-members',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: [...memberQueries, 'admin-member-notes', 'admin-member-newsletters'],
  input: z.object({ userId: z.uuid(), otherId: z.uuid() }),
  output: z.object({}),
})

/**
 * Deletes a member's account with its data, and cancels the plan. Deleting twice changes nothing. Fails with
 * `confirmation_mismatch` for another address, and for accounts of the staff.
 */
export const adminDeleteMemberCall = defineAdminCall({
  name: 'admin-delete-member',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-members'],
  input: z.object({ userId: z.uuid(), typedEmail: z.string().max(320) }),
  output: z.object({}),
})

/** Disabling ends all sessions at once and keeps everything else. */
export const adminSetDisabledCall = defineAdminCall({
  name: 'admin-set-disabled',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: ['admin-user', 'admin-audit-log'],
  input: z.object({ userId: z.uuid(), disabled: z.boolean(), reason: z.string().trim().max(300).nullish() }),
  output: z.object({ userId: z.uuid(), disabled: z.boolean() }),
})

/** An account's facts, for its page. */
export const adminUserCall = defineAdminCall({
  name: 'admin-user',
  roles: ['owner', 'support'],
  input: z.object({ userId: z.uuid() }),
  output: z.object({
    id: z.uuid(),
    email: z.string(),
    createdAt: z.iso.datetime(),
    lastSignInAt: z.iso.datetime().nullable(),
    emailConfirmed: z.boolean(),
    isAdmin: z.boolean(),
    disabled: z.boolean(),
    factors: z.array(z.enum(['totp', 'webauthn', 'phone'])),
    passkeys: z.number().int(),
    sessions: z.number().int(),
  }),
})
export type AdminUserFacts = z.output<typeof adminUserCall.output>
