import { useState } from 'react'
import { CallError, errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { StepUpDeclined } from '#client/lib/step-up.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { formatDay, formatList, formatMoney } from '#shared/domain/format.ts'
import { peopleText, pricePerInterval } from '#shared/domain/plan-texts.ts'
import { isForTeam, type PlanKey, planOf, plansOnSale } from '#shared/domain/plans.ts'
import { formatPrice, listPrice, type SubscriptionPrice, specialPrice } from '#shared/domain/subscription-price.ts'
import { useSwitchPlan, useSwitchPreview } from './account-billing.api.ts'
import { describeLostAccess } from './describe-lost-access.ts'

type SwitchSectionProps = {
  current: PlanKey
  /** Price of the user's own subscription; null if unknown. */
  price: SubscriptionPrice | null
  trialing: boolean
  /** Email addresses of the team members; null while unknown. */
  teamMembers: readonly string[] | null
  switchTo: PlanKey | null
}

/** The other plans, each with a preview of what switching costs today. */
export function SwitchSection({ current, price, trialing, teamMembers, switchTo }: SwitchSectionProps) {
  const [selected, setSelected] = useState(switchTo)
  // Stripe never bills one customer in two currencies.
  const currency = price?.currency ?? planOf(publication, current).currency
  const others = plansOnSale(publication).filter(({ key }) => key !== current)
  const choices = others.filter((plan) => plan.currency === currency)
  if (choices.length === 0) {
    if (others.length === 0) return null
    const theirs = formatList([...new Set(others.map((plan) => plan.currency.toUpperCase()))])
    return (
      <Section
        title="Switch plan"
        lede={`You pay in ${currency.toUpperCase()}, and our other plans are in ${theirs}, so you can’t switch to one of them.`}
      />
    )
  }
  return (
    <Section title="Switch plan" lede="We credit the unused part of your current plan toward the new one.">
      <ul aria-label="Other plans" className="divide-y divide-line border-t border-line">
        {choices.map(({ key }) => (
          <li key={key} className="py-2">
            <div className="action-row">
              <p className="tabular-nums">
                <span className="font-semibold">{planOf(publication, key).name}</span>{' '}
                <span className="text-muted max-sm:block">
                  {pricePerInterval(planOf(publication, key))}
                  {planOf(publication, key).note && `. ${planOf(publication, key).note}`}
                  {isForTeam(planOf(publication, key)) && `. ${peopleText(planOf(publication, key))}`}
                </span>
              </p>
              <Button
                variant="secondary"
                size="sm"
                aria-expanded={selected === key}
                aria-label={`See the cost of ${planOf(publication, key).name}`}
                onClick={() => setSelected(selected === key ? null : key)}
              >
                See the cost
              </Button>
            </div>
            {selected === key && (
              <div className="mt-3 mb-2">
                <SwitchPanel
                  from={current}
                  lostPrice={specialPrice(planOf(publication, current), price)}
                  to={key}
                  trialing={trialing}
                  teamMembers={teamMembers}
                  onClose={() => setSelected(null)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The amount has changed since the preview, so a new preview is loaded. */
const isOutdated = (error: Error) => error instanceof CallError && error.code === 'validation_failed'

type SwitchPanelProps = Pick<SwitchSectionProps, 'trialing' | 'teamMembers'> & {
  from: PlanKey
  /** A price that the user can't get again. */
  lostPrice: string | null
  to: PlanKey
  onClose: () => void
}

/** Shows what a switch costs today, and the button that switches. */
export function SwitchPanel({ from, lostPrice, to, trialing, teamMembers, onClose }: SwitchPanelProps) {
  const lostAccess = describeLostAccess(teamMembers, from, to)
  const preview = useSwitchPreview(to)
  const switchPlan = useSwitchPlan(to)
  const terms = planOf(publication, to)
  const { name } = terms
  const cost = preview.data
  const regular = listPrice(terms, cost?.seats ?? 1)
  const problem =
    switchPlan.error && !(switchPlan.error instanceof StepUpDeclined)
      ? switchPlan.error
      : preview.isError && !preview.isFetching
        ? preview.error
        : null

  return (
    <Panel label={`Switch to ${name}`}>
      <div aria-live="polite" className="min-h-18 max-w-[60ch]">
        {cost ? (
          <>
            <p className="text-lg">
              {trialing ? (
                'You won’t be charged today. Your trial continues.'
              ) : cost.dueTodayCents === 0 ? (
                'You won’t be charged today.'
              ) : (
                <>
                  <strong className="font-semibold tabular-nums">
                    {formatMoney(cost.dueTodayCents, cost.currency)}
                  </strong>{' '}
                  due today
                </>
              )}
            </p>
            <p className="mt-1 text-muted tabular-nums">
              {cost.creditCents > 0 &&
                `You get ${formatMoney(cost.creditCents, cost.currency)} in credit, applied to your next payments. `}
              Starting <time dateTime={cost.nextAt}>{formatDay(cost.nextAt)}</time>, you pay{' '}
              {cost.nextCents === regular.amountCents && cost.currency === regular.currency
                ? `${formatPrice(regular)}.`
                : `${formatMoney(cost.nextCents, cost.currency)} with your discount (regular price ${formatPrice(regular)}).`}
            </p>
            {lostPrice && <p className="mt-1">You can’t switch back to your current price of {lostPrice}.</p>}
            {lostAccess && (
              <p className="mt-2 font-semibold [overflow-wrap:anywhere]">{lostAccess} as soon as you switch.</p>
            )}
          </>
        ) : (
          !problem && <SkeletonText lines={2} />
        )}
      </div>
      <div className="mt-4 grid gap-5">
        <FormError>{problem && errorMessage(problem)}</FormError>
        <div className="flex flex-wrap gap-3">
          {cost ? (
            <Button
              pending={switchPlan.isPending || preview.isFetching}
              onClick={() =>
                switchPlan.mutate(cost, { onError: (error) => isOutdated(error) && void preview.refetch() })
              }
            >
              Switch to {name}
            </Button>
          ) : (
            preview.isError && (
              <Button variant="secondary" pending={preview.isFetching} onClick={() => void preview.refetch()}>
                Try again
              </Button>
            )
          )}
          <Button variant="secondary" onClick={onClose}>
            Keep my plan
          </Button>
        </div>
      </div>
    </Panel>
  )
}
