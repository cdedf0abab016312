import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'

const instant = z.iso.datetime()
const cents = z.number().int().nonnegative()
const count = z.number().int().nonnegative()
const token = z.string().min(1).max(200)

export const referralStates = ['pending', 'rewarded', 'refused', 'withdrawn'] as const
export const refusalReasons = ['not_new', 'same_person', 'same_card', 'same_device', 'refunded', 'disputed'] as const

/** A member's link, for the person who opens it. Fails with `referral_invalid`. */
export const referralLinkCall = defineCall({
  name: 'referral-link',
  audience: 'public',
  input: z.object({ token }),
  output: z.object({}),
})

/** Notes that the caller came by the link. Fails with `referral_invalid` and `referral_refused`. */
export const acceptReferralCall = defineCall({
  name: 'accept-referral',
  audience: 'user',
  invalidates: ['own-referrals'],
  input: z.object({ token }),
  output: z.object({}),
})

const credit = z.object({ at: instant, cents, currency: z.string(), taken: z.boolean() })

/** The caller's link and free months. */
export const ownReferralsCall = defineCall({
  name: 'own-referrals',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    /** Null without a paid plan, and while referrals are off. */
    link: z.url().nullable(),
    maxPerYear: count,
    /** Free months of this calendar year. */
    rewarded: count,
    /** Accepted, and not paid yet. */
    pending: count,
    /** For members whom the caller brought, newest first. */
    credits: z.array(credit),
    /** How the caller came. */
    own: z.object({ state: z.enum(referralStates), credit: credit.nullable() }).nullable(),
  }),
})
export type OwnReferrals = z.infer<typeof ownReferralsCall.output>

export const referralSettingsSchema = z.object({
  enabled: z.boolean(),
  /** Free months of a member per calendar year. */
  maxPerYear: z.number().int().min(1).max(100),
  /** Offers a free month before a renewal if the year’s receipt is below the price. */
  renewalMonth: z.boolean().default(false),
})
export type ReferralSettings = z.infer<typeof referralSettingsSchema>

const listedReferral = z.object({
  id: z.uuid(),
  state: z.enum(referralStates),
  reason: z.enum(refusalReasons).nullable(),
  /** Empty for deleted accounts, masked for viewers. */
  referrer: z.string(),
  referee: z.string(),
  createdAt: instant,
  decidedAt: instant.nullable(),
  /** Credits less what was taken back. */
  costs: z.array(z.object({ cents, currency: z.string() })),
})
export type ListedReferral = z.infer<typeof listedReferral>

export const adminReferralsCall = defineAdminCall({
  name: 'admin-referrals',
  roles: ['owner', 'viewer'],
  input: z.object({}),
  output: z.object({
    settings: referralSettingsSchema,
    version: z.int32(),
    counts: z.record(z.enum(referralStates), count),
    /** All credits less what was taken back, by currency. */
    costs: z.array(z.object({ cents, currency: z.string() })),
    /** Newest first. */
    items: z.array(listedReferral),
  }),
})
export type ReferralsPage = z.infer<typeof adminReferralsCall.output>

/** Based on `version`; fails with `edit_conflict`. */
export const adminSaveReferralSettingsCall = defineAdminCall({
  name: 'admin-save-referral-settings',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ settings: referralSettingsSchema, version: z.int32().min(0) }),
  output: z.object({}),
})
