import { useQuery } from '@tanstack/react-query'
import { PartyPopper } from 'lucide-react'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { Banner } from '#client/ui/banner.tsx'
import { isForTeam, planOf } from '#shared/domain/plans.ts'
import { plansQuery, useSubscription } from './billing.api.ts'

/** Shown above the first page after checkout. */
export default function PlanStarted() {
  const { subscription } = useSubscription()
  const offered = useQuery(plansQuery)
  const plan = offered.data?.find(({ productId }) => productId === subscription.product_id)
  const hasSeats = plan !== undefined && isForTeam(planOf(publication, plan.key))
  return (
    <Banner icon={PartyPopper} title="You’re in" className="mt-6 print:hidden">
      <p role="status">
        {plan ? `${plan.name} is active` : 'Your plan is active'}, and you have full access. We emailed you the details.{' '}
        <Link to={hasSeats ? '/account/team' : '/account/billing'} className="text-link">
          {hasSeats ? 'Invite your team' : 'View your plan'}
        </Link>
      </p>
    </Banner>
  )
}
