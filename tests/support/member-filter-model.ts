import type { FieldValue, FieldValues } from '#shared/domain/custom-fields.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { type AccessFacts, entitlement, type Products, resolveAccess } from '#shared/domain/entitlement.ts'
import { type FieldCondition, fieldWords } from '#shared/domain/field-conditions.ts'
import { foldName } from '#shared/domain/fold-name.ts'
import {
  type AccountState,
  endingStatuses,
  failedPaymentStatuses,
  isPrefixSearch,
  type MemberFilter,
  type MemberStatus,
  periodBounds,
} from '#shared/domain/member-filter.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

/*
 * A model of the filter of members, in memory. The SQL of `publishing/segments/filter-sql.ts` must select the same members.
 */

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
const statusesWithoutPlan: readonly string[] = ['none', 'incomplete', 'incomplete_expired']

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

/** Returns true if a member's value meets the condition; `undefined` for no value. */
export function matchesFieldCondition(value: FieldValue | undefined, condition: FieldCondition): boolean {
  if ('filled' in condition) return (value !== undefined) === condition.filled
  if (value === undefined) return false
  if ('anyOf' in condition) {
    const keys = typeof value === 'boolean' ? [value ? 'yes' : 'no'] : Array.isArray(value) ? value : [value]
    return keys.some((key) => typeof key === 'string' && condition.anyOf.includes(key))
  }
  if ('words' in condition) {
    const words = typeof value === 'string' ? fieldWords(value) : []
    return fieldWords(condition.words).every((word) => words.includes(word))
  }
  if ('min' in condition) {
    return (
      typeof value === 'number' &&
      (condition.min === null || value >= condition.min) &&
      (condition.max === null || value <= condition.max)
    )
  }
  return (
    typeof value === 'string' &&
    (condition.from === null || value >= condition.from) &&
    (condition.to === null || value <= condition.to)
  )
}
