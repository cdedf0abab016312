import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { optionKeySchema } from '#shared/contracts/reader/option-key.ts'
import { calendarDaySchema } from './calendar-day.ts'
import { dayMs } from './durations.ts'
import { fieldConditionSchema } from './field-conditions.ts'
import { isFilteredStream } from './newsletters.ts'

/*
 * The filter of the members list, of saved views and of mailings to a view. `publishing/segments/filter-sql.ts` selects its
 * members; a property test compares that with the model in `tests/support/member-filter-model.ts`.
 */

/** Why a member has access to the portal, or doesn't. Every member has exactly one. */
export const memberStatuses = {
  active: 'Active',
  trial: 'On trial',
  past_due: 'Payment past due',
  paused: 'Paused',
  team_seat: 'Team seat',
  complimentary: 'Complimentary',
  ended: 'Plan ended',
  free: 'Free edition',
  none: 'No plan',
} as const
export type MemberStatus = keyof typeof memberStatuses

/** Other properties that staff look for in an account. */
export const accountStates = {
  unconfirmed: 'Email not confirmed',
  suppressed: 'Email suppressed',
  disabled: 'Disabled',
  payment_failed: 'Payment failed',
  canceling: 'Cancels at period end',
} as const
export type AccountState = keyof typeof accountStates

export const engagementKinds = {
  signed_in: 'Signed in',
  opened: 'Opened an email',
  clicked: 'Clicked in an email',
  /** In the portal or by email. "Not" lists only those who allow tracking: of others, opens aren't known. */
  read: 'Read something',
  /** Copied a prompt, asked for a reminder or told how something went. */
  tried: 'Tried something',
} as const
export type EngagementKind = keyof typeof engagementKinds

/** "Opened an email" or "Not opened an email" */
export const engagementName = (kind: EngagementKind, within: boolean): string =>
  within
    ? engagementKinds[kind]
    : kind === 'tried' || kind === 'read'
      ? `Not ${kind} anything`
      : `Not ${engagementKinds[kind].toLowerCase()}`

const keysOf = <Key extends string>(record: Record<Key, unknown>) => Object.keys(record) as [Key, ...Key[]]
const anyOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.enum(values)).max(values.length).default([])

const optionsOf = z.array(optionKeySchema).max(60).default([])

/** Calendar days of UTC, both included, or a number of days from today. */
const periodSchema = z
  .union([
    z.object({ days: z.number().int().min(1).max(3_650) }),
    z
      .object({ from: calendarDaySchema.nullable(), to: calendarDaySchema.nullable() })
      .refine(({ from, to }) => from || to, 'Choose a date')
      .refine(({ from, to }) => !(from && to) || from <= to, 'The first day is after the last'),
  ])
  .nullable()
  .default(null)
export type Period = NonNullable<z.output<typeof periodSchema>>

export const maxLocations = 20
const stream = z.string().max(20).refine(isFilteredStream, 'Choose a newsletter from the list')
const locationCount = z.number().int().min(0).max(maxLocations)

/** All fields apply together; within a list, any value matches. An empty list or null doesn't filter. */
export const memberFilterSchema = z.object({
  /** Part of the address or name. */
  search: z
    .string()
    .trim()
    .max(200)
    .refine((text) => !text.includes('\0'), 'Remove the null character')
    .default(''),
  statuses: anyOf(keysOf(memberStatuses)),
  /** The member's own plan, now or before, or the one that gives them a seat. */
  plans: z.array(planKeySchema).max(50).default([]),
  account: anyOf(keysOf(accountStates)),
  /** Keys of options, also retired ones. */
  focusAreas: optionsOf,
  goals: optionsOf,
  aiLevels: optionsOf,
  franchiseTypes: optionsOf,
  /** `max` is null for "or more". */
  locations: z
    .object({ min: locationCount, max: locationCount.nullable() })
    .refine(({ min, max }) => max === null || min <= max, 'The smaller number comes first')
    .nullable()
    .default(null),
  engagement: z
    .object({ kind: z.enum(keysOf(engagementKinds)), within: z.boolean(), days: z.number().int().min(1).max(730) })
    .nullable()
    .default(null),
  /** `days`: in the last days. */
  joined: periodSchema,
  /** `days`: in the next days. */
  renews: periodSchema,
  tags: z.array(z.string().max(40)).max(20).default([]),
  /** Where the member came from first, such as "google". */
  sources: z.array(z.string().max(60)).max(20).default([]),
  /** Votes in polls, as `pollToken`. */
  polls: z.array(z.string().max(300)).max(20).default([]),
  /** True if staff wrote notes about the member. */
  noted: z.boolean().nullable().default(null),
  /** Streams of which the member gets any. */
  newsletters: z.array(stream).max(50).default([]),
  /** Streams of which the member turned any off. */
  unsubscribedFrom: z.array(stream).max(50).default([]),
  /** Conditions on fields of the publisher. A member meets all of them. */
  fields: z.array(fieldConditionSchema).max(10).default([]),
})
export type MemberFilter = z.output<typeof memberFilterSchema>

/** The instants of a period; null where it is open. The end is excluded. */
export function periodBounds(
  period: Period,
  now: Date,
  direction: 'past' | 'future',
): { from: Date | null; to: Date | null } {
  if ('days' in period) {
    const other = new Date(now.getTime() + (direction === 'past' ? -1 : 1) * period.days * dayMs)
    return direction === 'past' ? { from: other, to: null } : { from: now, to: other }
  }
  const from = period.from ? new Date(`${period.from}T00:00:00Z`) : null
  const to = period.to ? new Date(new Date(`${period.to}T00:00:00Z`).getTime() + dayMs) : null
  return { from, to }
}

/** Terms without three letters or digits in a row match at the start only; the index finds no others. */
export const isPrefixSearch = (term: string) => !/[\p{L}\p{N}]{3}/u.test(term)

/** Statuses of subscriptions that can end with their period. */
export const endingStatuses: readonly string[] = ['active', 'trialing', 'past_due']

/** Statuses of subscriptions whose payment failed and hasn't been collected. */
export const failedPaymentStatuses: readonly string[] = ['past_due', 'unpaid']
