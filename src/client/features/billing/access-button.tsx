import { useSession } from '#client/lib/session.ts'
import { ButtonAnchor, ButtonLink } from '#client/ui/button-link.tsx'
import { useSubscription } from './billing.api.ts'

/** The hero's button (spec §2): the next step for whoever is reading. */
export function AccessButton() {
  const { status } = useSession()
  const { status: checked, subscription } = useSubscription()
  if (subscription.subscribed) {
    return (
      <ButtonLink to="/portal" size="lg">
        Enter Portal
      </ButtonLink>
    )
  }
  if (status === 'signed-out') {
    return (
      <ButtonLink
        to="/auth"
        state={{ mode: 'sign-up' }}
        data-wait="/auth?mode=sign-up"
        size="lg"
        className="in-data-session:invisible"
      >
        Get Access
      </ButtonLink>
    )
  }
  return (
    // Invisible while it is not known which of the two it will be; the place is kept.
    <ButtonAnchor
      href="#pricing"
      size="lg"
      className={status === 'loading' || checked === 'unknown' ? 'invisible' : ''}
    >
      Choose a Plan
    </ButtonAnchor>
  )
}
