import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { ButtonAnchor, ButtonLink } from '#client/ui/button-link.tsx'
import { useSubscription } from './billing.api.ts'

const signUpUrl = '/auth?mode=sign-up'

/** The hero's button: the next step for a visitor, a user without a plan, or a subscriber. */
export function AccessButton() {
  const { status } = useSession()
  const { status: checked, subscription } = useSubscription()
  if (subscription.subscribed) {
    return (
      <ButtonLink to="/portal" size="lg">
        {publication.labels.enterPortal}
      </ButtonLink>
    )
  }
  if (status === 'signed-out') return <GetAccessLink />
  return (
    // Keeps its space but stays invisible until the subscription status is known.
    <ButtonAnchor
      href="#pricing"
      size="lg"
      className={status === 'loading' || checked === 'unknown' ? 'invisible' : ''}
    >
      {publication.labels.choosePlan}
    </ButtonAnchor>
  )
}

/** The URL carries the mode, so that the link works in a new tab too. A plain click goes to /auth. */
function GetAccessLink() {
  const navigate = useNavigate()
  const handleClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate('/auth', { state: { mode: 'sign-up' } })
  }
  return (
    <ButtonLink
      to={signUpUrl}
      onClick={handleClick}
      data-wait={signUpUrl}
      size="lg"
      className="in-data-session:invisible"
    >
      {publication.labels.getAccess}
    </ButtonLink>
  )
}
