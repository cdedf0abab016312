import {
  type AccessFacts,
  entitlement,
  graceMs,
  type Products,
  resolveAccess,
  type SubscriptionFacts,
} from '#shared/domain/entitlement.ts'

export type Verdict = { entitled: boolean; by: 'plan' | 'team' | 'gift' | null; until: Date | null; words: string[] }

const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const say = (instant: Date | null) => (instant ? `${format.format(instant)} UTC` : 'no date')

/** The rule that decides about access, said for a person: the same function as everywhere decides, this only explains. */
export function explainEntitlement(access: AccessFacts, now: Date, products: Products): Verdict {
  const { entitled, until } = resolveAccess(access, now, products)
  const own = entitlement(access.subscription, now, products.known)
  const team = entitlement(access.team, now, products.team)
  const gift = access.complimentaryUntil
  const words = [aboutPlan(access.subscription, now, products.known)]
  if (access.team) words.push(aboutTeam(access.team, team.entitled, products))
  if (gift) words.push(`Complimentary access ${gift > now ? 'runs until' : 'ended on'} ${say(gift)}.`)
  const by = own.entitled ? 'plan' : team.entitled ? 'team' : entitled ? 'gift' : null
  return { entitled, by, until: entitled ? until : null, words }
}

function aboutPlan(facts: SubscriptionFacts | null, realNow: Date, known: ReadonlySet<string>): string {
  if (!facts || facts.status === 'none') return 'No subscription of their own.'
  if (!facts.productId || !known.has(facts.productId)) {
    return `Subscription to a product that we do not sell (${facts.productId ?? 'none'}): it opens nothing.`
  }
  const now = facts.testClockTime ?? realNow
  const { entitled, until } = entitlement(facts, realNow, known)
  const clock = facts.testClockTime ? ` It is ${say(facts.testClockTime)} by the customer's test clock.` : ''
  switch (facts.status) {
    case 'active':
    case 'trialing': {
      const what = facts.status === 'trialing' ? 'In trial' : 'Paid'
      if (facts.cancelAt) {
        const ends = `and canceled: it ${now < facts.cancelAt ? 'stays open until' : 'ended on'} ${say(facts.cancelAt)}.`
        return `${what} ${ends}${clock}`
      }
      const end = say(facts.currentPeriodEnd)
      return entitled
        ? `${what}; renews on ${end}. Access stays open one day longer, until Stripe reports the renewal.${clock}`
        : `${what} until ${end}, and no news of a renewal for more than a day since: not open.${clock}`
    }
    case 'past_due': {
      const days = graceMs / (24 * 60 * 60 * 1000)
      const since = facts.unpaidSince ?? facts.currentPeriodStart
      return `Unpaid since ${say(since)}: ${days} days of patience ${entitled ? 'last until' : 'ended on'} ${say(until)}.${clock}`
    }
    default:
      return `Stripe says "${facts.status}", which opens nothing.${clock}`
  }
}

const aboutTeam = (facts: SubscriptionFacts, entitled: boolean, { team }: Products): string => {
  if (!facts.productId || !team.has(facts.productId)) return 'Has a seat in a team whose owner has no team plan now.'
  return entitled
    ? 'Has a seat in a team whose plan runs.'
    : `Has a seat in a team whose plan opens nothing now ("${facts.status}").`
}
