import { type AccessFacts, isForGood, isPaused, type Products, resolveAccess } from '#shared/domain/entitlement.ts'
import { formatDay } from '#shared/domain/format.ts'

type Description = { sentence: string; hasAccess: boolean; renewsAt: Date | null }

/** A member's plan and access in one sentence. `explainEntitlement` has the details. */
export function describeAccess(
  facts: AccessFacts,
  {
    planName,
    ownerEmail,
    products,
    now,
  }: { planName: string; ownerEmail: string | null; products: Products; now: Date },
): Description {
  const { entitled, productId } = resolveAccess(facts, now, products)
  const { subscription } = facts
  const isOwn = entitled && subscription !== null && productId === subscription.productId
  const own = subscription && products.known.has(subscription.productId ?? '') ? subscription : null
  if (isOwn) return ownAccess(subscription, planName)
  if (entitled && productId !== null) {
    return { sentence: `Has access through ${ownerEmail ?? 'a team'}’s team.`, hasAccess: true, renewsAt: null }
  }
  if (entitled) {
    if (isForGood(facts.complimentaryUntil))
      return { sentence: 'Access for good, paid once.', hasAccess: true, renewsAt: null }
    const until = facts.complimentaryUntil ? ` until ${formatDay(facts.complimentaryUntil)}` : ''
    return { sentence: `Complimentary access${until}.`, hasAccess: true, renewsAt: null }
  }
  if (own && (own.status === 'paused' || (own.status === 'active' && isPaused(own, now)))) {
    const until = own.pauseEndsAt ? ` until ${formatDay(own.pauseEndsAt)}` : ''
    return { sentence: `${planName}, paused${until}. No access, and no payments.`, hasAccess: false, renewsAt: null }
  }
  const sentence = !own ? 'No plan, no access.' : `${planName} has ended or isn’t paid, so there’s no access.`
  return { sentence, hasAccess: false, renewsAt: null }
}

function ownAccess(subscription: NonNullable<AccessFacts['subscription']>, planName: string): Description {
  const { status, cancelAt, currentPeriodEnd, pauseStartsAt, pauseEndsAt } = subscription
  const say = (sentence: string, renewsAt: Date | null = null) => ({ sentence, hasAccess: true, renewsAt })
  if (status === 'past_due') return say(`${planName}: the last payment failed. Access continues for a few days.`)
  const trial = status === 'trialing'
  if (cancelAt) return say(`${planName}${trial ? ' trial' : ''}, canceled: access ends ${formatDay(cancelAt)}.`)
  if (pauseStartsAt) {
    const until = pauseEndsAt ? ` until ${formatDay(pauseEndsAt)}` : ''
    return say(`${planName}, paused from ${formatDay(pauseStartsAt)}${until}.`)
  }
  if (!currentPeriodEnd) return say(`${planName}.`)
  const verb = trial ? 'trial until' : 'renews'
  return say(`${planName}, ${verb} ${formatDay(currentPeriodEnd)}.`, currentPeriodEnd)
}
