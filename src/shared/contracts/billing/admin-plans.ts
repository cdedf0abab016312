import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { intervalUnits } from '#shared/domain/billing-interval.ts'
import { oncePaid } from '#shared/domain/plan-terms.ts'
import { planKeySchema } from './plan-key.ts'

const line = (max: number) =>
  z
    .string()
    .transform((text) =>
      text
        .toWellFormed()
        .normalize('NFC')
        .replaceAll(/[\p{Cc}\s]+/gu, ' ')
        .trim(),
    )
    .pipe(z.string().max(max))

const terms = {
  name: line(40),
  /** Shown below the price; empty for none. */
  note: line(60),
  features: z.array(line(80)).max(8),
  /** In the currency's smallest unit. */
  priceCents: z.number().int(),
  currency: z.string().max(3),
  interval: z.enum(intervalUnits),
  /** Intervals between payments. */
  intervalCount: z.number().int().default(1),
  /** Paid once, for the period or for good. Null for a plan that renews; stays as it was when the plan was created. */
  once: z.enum(oncePaid).nullish(),
  /** The least that buyers can pay, who choose the amount; the price is then a suggestion. Null for a fixed price. */
  floorCents: z.number().int().nullish(),
  /** The minimum if the plan is priced per seat. */
  seats: z.number().int(),
  /** True if the price is for one seat. Stays as it was when the plan was created. */
  perSeat: z.boolean().default(false),
  trialDays: z.number().int().nullable(),
  /** What the trial costs, once, also if the plan is priced per seat. Null for a free trial. */
  trialPriceCents: z.number().int().nullish(),
  /** Shown after the other plans. Its members have a mark at their answers under drops. */
  forSupporters: z.boolean().default(false),
}

const storedPlanSchema = z.object({
  key: planKeySchema,
  version: z.number().int(),
  ...terms,
  retiredAt: z.iso.datetime().nullable(),
  /** True if it has a product and a price at Stripe, without which it isn't on sale. */
  isAtStripe: z.boolean(),
  /** Members whose subscription is for this plan and hasn’t ended, or payments of what is paid once. */
  members: z.number().int(),
  /** Those who don't pay the plan's price. */
  onOtherPrice: z.number().int(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string().nullable(),
})
export type StoredPlan = z.infer<typeof storedPlanSchema>

export const taxSettingsSchema = z.object({
  /** True if Stripe computes tax for new subscriptions. */
  enabled: z.boolean(),
  /** True if prices contain the tax. */
  included: z.boolean(),
  /** True if checkout asks businesses for their tax id. */
  taxIds: z.boolean(),
  /** Days that companies have to pay a team plan by invoice. Null if they can't. */
  invoiceDays: z.int().min(7).max(60).nullable().default(null),
})
export type TaxSettings = z.infer<typeof taxSettingsSchema>

const plansOutput = z.object({
  /** In the publisher's order. */
  items: z.array(storedPlanSchema),
  /** Days for plans without a number of their own. */
  usualTrialDays: z.number().int(),
  /** Currency of the first plan on sale. */
  mainCurrency: z.string(),
  tax: z.object({ settings: taxSettingsSchema, version: z.int32() }),
})
export type StoredPlans = z.infer<typeof plansOutput>

export const adminPlansCall = defineAdminCall({
  name: 'admin-plans',
  roles: ['owner', 'viewer'],
  input: z.object({}),
  output: plansOutput,
})

/**
 * Creates or changes a plan, with its product and price at Stripe. A changed price is for new members.
 * Fails with `edit_conflict` if someone else has saved the plan.
 */
export const adminSavePlanCall = defineAdminCall({
  name: 'admin-save-plan',
  roles: ['owner'],
  stepUp: true,
  input: z.object({
    /** Null for a new plan. */
    key: planKeySchema.nullable(),
    /** The version that was edited; 0 for a new plan. */
    version: z.number().int().nonnegative(),
    /** One per form, so that a repeated request creates one plan. */
    requestId: z.uuid(),
    ...terms,
  }),
  output: plansOutput,
})
export type PlanToSave = z.input<typeof adminSavePlanCall.input>

/** Takes a plan off sale, or puts it back. Members keep it. */
export const adminRetirePlanCall = defineAdminCall({
  name: 'admin-retire-plan',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ key: planKeySchema, version: z.number().int(), retired: z.boolean() }),
  output: plansOutput,
})

/** The order on the landing page. Names all plans. */
export const adminOrderPlansCall = defineAdminCall({
  name: 'admin-order-plans',
  roles: ['owner'],
  input: z.object({ keys: z.array(planKeySchema).max(100) }),
  output: plansOutput,
})

/**
 * Based on `version`; fails with `edit_conflict`, and with `validation_failed` if Stripe has no tax settings.
 */
export const adminSaveTaxSettingsCall = defineAdminCall({
  name: 'admin-save-tax-settings',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ settings: taxSettingsSchema, version: z.int32().min(0) }),
  output: plansOutput,
})
