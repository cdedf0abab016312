import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { optionKeySchema } from '#shared/contracts/reader/option-key.ts'
import { calendarDaySchema } from './calendar-day.ts'
import type { FieldValues } from './custom-fields.ts'
import { dayMs } from './durations.ts'
import { type AccessFacts, entitlement, type Products, resolveAccess } from './entitlement.ts'
import { fieldConditionSchema, matchesFieldCondition } from './field-conditions.ts'
import { foldName } from './fold-name.ts'
import { isFilteredStream } from './newsletters.ts'
import type { PlanKey } from './plans.ts'

/*
 * The filter of the members list, of saved views and of mailings to a view. The server's SQL for it
 * (`server/features/publishing/segments/filter-sql.ts`) selects the same members; a property test compares the two.
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

/** Facts about a member that filters check. */
export type MemberRecord = {
  email: string | null
  name: string | null
  joinedAt: Date
  emailConfirmed: boolean
  disabledUntil: Date | null
  suppressed: boolean
  isFreeReader: boolean
  access: AccessFacts
  answers: {
    focusAreas: readonly string[]
    goals: readonly string[]
    aiLevel: string
    franchiseType: string | null
  } | null
  locations: number
  tags: readonly string[]
  /** Null if it isn't known. */
  firstSource: string | null
  noted: boolean
  pollVotes: readonly string[]
  /** Streams that the member gets, and those that they turned off. */
  newsletters: { subscribed: readonly string[]; unsubscribed: readonly string[] }
  fields: FieldValues
  lastSignedInAt: Date | null
  lastOpenedAt: Date | null
  lastClickedAt: Date | null
  lastTriedAt: Date | null
  /** In the portal. */
  lastReadAt: Date | null
  allowsTracking: boolean
}

/** Subscriptions that never began. */
export const statusesWithoutPlan: readonly string[] = ['none', 'incomplete', 'incomplete_expired']

const hadPlan = ({ subscription }: AccessFacts, { known }: Products) =>
  subscription !== null && !statusesWithoutPlan.includes(subscription.status) && known.has(subscription.productId ?? '')

/** True from when a pause is chosen, even while the plan still gives access. Stripe's own pauses are a status. */
const hasPausedPlan = ({ subscription }: AccessFacts, { known }: Products) =>
  subscription !== null &&
  (subscription.status === 'paused' || (subscription.status === 'active' && subscription.pauseStartsAt !== null)) &&
  known.has(subscription.productId ?? '')

/** @param isFreeReader whether they asked for the free edition, which they get while they have no access */
export function memberStatus(facts: AccessFacts, now: Date, products: Products, isFreeReader: boolean): MemberStatus {
  const own = entitlement(facts.subscription, now, products.known)
  if (own.entitled) {
    if (facts.subscription?.status === 'trialing') return 'trial'
    return facts.subscription?.status === 'past_due' ? 'past_due' : 'active'
  }
  if (entitlement(facts.team, now, products.team).entitled) return 'team_seat'
  if (resolveAccess(facts, now, products).entitled) return 'complimentary'
  if (hasPausedPlan(facts, products)) return 'paused'
  if (isFreeReader) return 'free'
  return hadPlan(facts, products) ? 'ended' : 'none'
}

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

type Context = { now: Date; products: Products; planOf: (productId: string) => PlanKey | undefined }

/** Returns true if a member matches the filter. */
export function matchesMemberFilter(member: MemberRecord, filter: MemberFilter, context: Context): boolean {
  const { now, products } = context
  const status = memberStatus(member.access, now, products, member.isFreeReader)
  return (
    matchesSearch(searchText(member), filter.search) &&
    isAnyOf(filter.statuses, [status]) &&
    isAnyOf(filter.plans, plansOf(member.access, status, context)) &&
    isAnyOf(filter.account, accountStatesOf(member, now)) &&
    isAnyOf(filter.focusAreas, member.answers?.focusAreas) &&
    isAnyOf(filter.goals, member.answers?.goals) &&
    isAnyOf(filter.aiLevels, member.answers ? [member.answers.aiLevel] : []) &&
    isAnyOf(filter.franchiseTypes, member.answers?.franchiseType ? [member.answers.franchiseType] : []) &&
    (filter.locations === null ||
      (member.locations >= filter.locations.min && member.locations <= (filter.locations.max ?? member.locations))) &&
    matchesEngagement(member, filter.engagement, now) &&
    (filter.joined === null || isWithin(member.joinedAt, periodBounds(filter.joined, now, 'past'))) &&
    (filter.renews === null || isWithin(renewalOf(member.access), periodBounds(filter.renews, now, 'future'))) &&
    isAnyOf(filter.tags, member.tags) &&
    isAnyOf(filter.sources, member.firstSource ? [member.firstSource] : []) &&
    isAnyOf(filter.polls, member.pollVotes) &&
    (filter.noted === null || member.noted === filter.noted) &&
    isAnyOf(filter.newsletters, member.newsletters.subscribed) &&
    isAnyOf(filter.unsubscribedFrom, member.newsletters.unsubscribed) &&
    filter.fields.every((condition) => matchesFieldCondition(member.fields[condition.field], condition))
  )
}

/** Terms without three letters or digits in a row match at the start only; the index finds no others. */
export const isPrefixSearch = (term: string) => !/[\p{L}\p{N}]{3}/u.test(term)

function matchesSearch(text: string, search: string): boolean {
  const term = foldName(search)
  return isPrefixSearch(term) ? text.startsWith(term) : text.includes(term)
}

const searchText = ({ email, name }: MemberRecord) => foldName([email, name].filter((part) => part !== null).join(' '))

const isAnyOf = (wanted: readonly string[], values: readonly string[] = []) =>
  wanted.length === 0 || values.some((value) => wanted.includes(value))

function plansOf(access: AccessFacts, status: MemberStatus, { products, planOf }: Context): PlanKey[] {
  const own = hadPlan(access, products) ? access.subscription?.productId : null
  const seat = status === 'team_seat' ? access.team?.productId : null
  return [own, seat].flatMap((productId) => (productId && planOf(productId)) || [])
}

/** Statuses of subscriptions that can end with their period. */
export const endingStatuses: readonly string[] = ['active', 'trialing', 'past_due']

/** Statuses of subscriptions whose payment failed and hasn't been collected. */
export const failedPaymentStatuses: readonly string[] = ['past_due', 'unpaid']

const accountStatesOf = (
  { emailConfirmed, suppressed, disabledUntil, access }: MemberRecord,
  now: Date,
): AccountState[] => [
  ...(emailConfirmed ? [] : (['unconfirmed'] as const)),
  ...(suppressed ? (['suppressed'] as const) : []),
  ...(disabledUntil && disabledUntil > now ? (['disabled'] as const) : []),
  ...(failedPaymentStatuses.includes(access.subscription?.status ?? '') ? (['payment_failed'] as const) : []),
  ...(isCanceling(access) ? (['canceling'] as const) : []),
]

function matchesEngagement(member: MemberRecord, engagement: MemberFilter['engagement'], now: Date): boolean {
  if (!engagement) return true
  const { kind, within, days } = engagement
  const last = {
    signed_in: [member.lastSignedInAt],
    opened: [member.lastOpenedAt],
    clicked: [member.lastClickedAt],
    tried: [member.lastTriedAt],
    read: [member.lastReadAt, member.lastOpenedAt, member.lastClickedAt],
  }[kind]
  const isRecent = last.some((at) => at !== null && at.getTime() >= now.getTime() - days * dayMs)
  return isRecent === within && (within || kind !== 'read' || member.allowsTracking)
}

const isWithin = (at: Date | null, { from, to }: { from: Date | null; to: Date | null }) =>
  at !== null && (!from || at >= from) && (!to || at < to)

/** True if the plan goes on now and isn't renewed. A plan with a pause is another case. */
const isCanceling = (access: AccessFacts) =>
  endingStatuses.includes(access.subscription?.status ?? '') &&
  !(access.subscription?.status === 'active' && access.subscription.pauseStartsAt !== null) &&
  renewalOf(access) === null

/** When Stripe renews the plan; null if it ends, has a pause without an end, or there is none. */
function renewalOf({ subscription }: AccessFacts): Date | null {
  const renews =
    subscription && ['active', 'trialing', 'past_due'].includes(subscription.status) && !subscription.cancelAt
  if (!renews) return null
  return subscription.pauseStartsAt ? subscription.pauseEndsAt : subscription.currentPeriodEnd
}
