import {
  type AccessFacts,
  entitlement,
  graceMs,
  isForGood,
  type Products,
  resolveAccess,
  type SubscriptionFacts,
} from '#shared/domain/entitlement.ts'
import { formatInstant } from '#shared/domain/zoned-time.ts'

type Explanation = {
  entitled: boolean
  by: 'plan' | 'team' | 'complimentary' | null
  until: Date | null
  sentences: string[]
}

type Format = (instant: Date | null) => string

/** Explains the result of `resolveAccess` to admins, with times in the publication's zone. */
export function explainEntitlement(facts: AccessFacts, now: Date, products: Products, timeZone: string): Explanation {
  const format: Format = (instant) => (instant ? formatInstant(instant, timeZone) : 'no date')
  const { entitled, until } = resolveAccess(facts, now, products)
  const own = entitlement(facts.subscription, now, products.known)
  const team = entitlement(facts.team, now, products.team)
  const { complimentaryUntil } = facts
  const sentences = [explainPlan(facts.subscription, now, products.known, format)]
  if (facts.team) sentences.push(explainTeam(facts.team, team.entitled, products))
  if (complimentaryUntil) {
    const verb = complimentaryUntil > now ? 'lasts until' : 'ended on'
    sentences.push(
      isForGood(complimentaryUntil)
        ? 'Access was paid for once and lasts for good.'
        : `Complimentary access ${verb} ${format(complimentaryUntil)}.`,
    )
  }
  const by = own.entitled ? 'plan' : team.entitled ? 'team' : entitled ? 'complimentary' : null
  return { entitled, by, until: entitled ? until : null, sentences }
}

function explainPlan(
  facts: SubscriptionFacts | null,
  realNow: Date,
  known: ReadonlySet<string>,
  format: Format,
): string {
  if (!facts || facts.status === 'none') return 'No subscription.'
  if (!facts.productId || !known.has(facts.productId)) {
    return `The subscription is to a product that isn’t one of your plans (${facts.productId ?? 'none'}), so it gives no access.`
  }
  const now = facts.testClockTime ?? realNow
  const { entitled, until } = entitlement(facts, realNow, known)
  const clock = facts.testClockTime ? ` The customer’s test clock shows ${format(facts.testClockTime)}.` : ''
  switch (facts.status) {
    case 'active':
    case 'trialing': {
      const state = facts.status === 'trialing' ? 'In trial' : 'Paid'
      if (facts.cancelAt) {
        const verb = now < facts.cancelAt ? 'access continues until' : 'access ended on'
        return `${state} and canceled: ${verb} ${format(facts.cancelAt)}.${clock}`
      }
      if (facts.pauseStartsAt) {
        const verb = now < facts.pauseStartsAt ? 'access continues until' : 'access ended on'
        const back = facts.pauseEndsAt ? ` Access returns on ${format(facts.pauseEndsAt)}.` : ''
        return `Payments are paused: ${verb} ${format(facts.pauseStartsAt)}.${back}${clock}`
      }
      const end = format(facts.currentPeriodEnd)
      return entitled
        ? `${state}; renews on ${end}. Access continues for one more day while we wait for Stripe to confirm the renewal.${clock}`
        : `${state} until ${end}. Stripe hasn’t confirmed a renewal for more than a day, so access is closed.${clock}`
    }
    case 'past_due': {
      const days = graceMs / (24 * 60 * 60 * 1000)
      const since = facts.unpaidSince ?? facts.currentPeriodStart
      const verb = entitled ? 'lasts until' : 'ended on'
      return `Unpaid since ${format(since)}. The ${days}-day grace period ${verb} ${format(until)}.${clock}`
    }
    case 'paused':
      return `Paused at Stripe: no payments and no access until it’s resumed, here or by the member.${clock}`
    default:
      return `The status at Stripe is “${facts.status}”, which gives no access.${clock}`
  }
}

function explainTeam(facts: SubscriptionFacts, entitled: boolean, { team }: Products): string {
  if (!facts.productId || !team.has(facts.productId)) return 'Has a team seat, but the owner has no Team plan.'
  return entitled
    ? 'Has a team seat, and the team’s plan is active.'
    : `Has a team seat, but the team’s plan gives no access (“${facts.status}”).`
}
