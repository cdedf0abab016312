import { useParams } from 'react-router'
import { OfferPage } from '#client/features/billing/subscriptions/offer/offer-page.tsx'
import { useLandingContent } from '#client/features/publishing/landing/landing-content.ts'

/** An offer link. */
export function Component() {
  const { code = '' } = useParams()
  const content = useLandingContent()
  return content ? (
    <OfferPage key={code} code={code} texts={content.texts.plans} />
  ) : (
    <div aria-busy className="min-h-dvh" />
  )
}
