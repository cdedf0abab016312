import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useId } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { useStartCheckout, useTrialDays } from '#client/features/billing/subscriptions/checkout.api.ts'
import { checkoutPath } from '#client/features/billing/subscriptions/checkout-path.ts'
import { offerQuery } from '#client/features/billing/subscriptions/offer/offer.api.ts'
import { rememberOfferCode } from '#client/features/billing/subscriptions/offer/remembered-offer.ts'
import { useLandingContent } from '#client/features/publishing/landing/landing-content.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession, whenSessionKnown } from '#client/lib/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { LoadError } from '#client/ui/loading.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import type { PublicOffer } from '#shared/contracts/billing/offers.ts'
import type { LandingTexts } from '#shared/contracts/library/landing-samples.ts'
import { formatDay } from '#shared/domain/format.ts'
import { offerPriceText, offerTitle } from '#shared/domain/offer-terms.ts'
import { upperFirst } from '#shared/domain/own-words.ts'
import { peopleText, pricePerInterval } from '#shared/domain/plan-texts.ts'
import { isForTeam, type PlanKey, planOf, plansOnSale } from '#shared/domain/plans.ts'

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

type OfferPageProps = { code: string; texts: LandingTexts['plans'] }

/** The page behind an offer link: what each plan costs with the offer, or one sentence if it can't be used. */
function OfferPage({ code, texts }: OfferPageProps) {
  const found = useQuery(offerQuery(code))
  const { status, user } = useSession()
  const { status: checked, subscription } = useSubscription()
  const offer = found.data
  useEffect(() => {
    if (offer !== undefined) rememberOfferCode(offer?.code ?? null)
  }, [offer])

  if (found.isError && offer === undefined) {
    return (
      <div className="page py-16">
        <LoadError what="this offer" query={found} />
      </div>
    )
  }
  if (offer === undefined || status === 'loading' || (user && checked === 'unknown')) return <LoadingScreen />
  if (subscription.subscribed) {
    return (
      <Message title="You already have a plan">
        Offers are for new plans, so this one doesn’t change yours.
        <ButtonLink to="/portal" className="mt-8">
          {publication.labels.goToPortal}
        </ButtonLink>
      </Message>
    )
  }
  return (
    <div className="page py-12 lg:py-20">
      {offer ? (
        <>
          <p className="font-semibold text-accent-ink">A {publication.name} offer</p>
          <h1 className="display mt-2 max-w-[20ch] text-4xl sm:text-5xl">{offerTitle(offer)}</h1>
          <p className="mt-4 text-lg text-muted">{conditionsOf(offer)}</p>
        </>
      ) : (
        <>
          <h1 className="display text-3xl sm:text-4xl">This offer isn’t available anymore</h1>
          <p className="mt-4 max-w-[62ch] text-lg text-muted">
            It may have ended, or its link may be incomplete. You can start at the regular price.
          </p>
        </>
      )}
      <div className="mt-10 grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)]">
        <ul aria-label="Plans" className="border-t-2 border-ink">
          {plansOnSale(publication)
            .map(({ key }) => key)
            .toSorted((one, other) => Number(!offer?.plans.includes(one)) - Number(!offer?.plans.includes(other)))
            .map((plan) => (
              <OfferPlan key={plan} plan={plan} offer={offer?.plans.includes(plan) ? offer : null} />
            ))}
        </ul>
        <div>
          <h2 className="text-lg font-semibold">What you get</h2>
          <ul className="mt-3 grid gap-2">
            {texts.benefits.map((item) => (
              <li key={item} className="flex gap-2.5">
                <Check aria-hidden strokeWidth={1.75} className="mt-0.5 size-5 shrink-0 text-primary" />
                {item}
              </li>
            ))}
          </ul>
          <Link to="/" className="text-link mt-3 inline-flex min-h-11 items-center">
            See samples of each
          </Link>
        </div>
      </div>
    </div>
  )
}

function Message({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="page py-20">
      <h1 className="display text-3xl">{title}</h1>
      <div className="mt-4 max-w-[62ch] text-lg text-muted">{children}</div>
    </div>
  )
}

const conditionsOf = ({ lastDay, newCustomersOnly }: PublicOffer): string =>
  [
    newCustomersOnly ? 'For new customers.' : '',
    lastDay ? `Through ${formatDay(lastDay)}.` : '',
    'You see the exact amount before you pay.',
  ]
    .filter(Boolean)
    .join(' ')

function OfferPlan({ plan, offer }: { plan: PlanKey; offer: PublicOffer | null }) {
  const nameId = useId()
  const navigate = useNavigate()
  const checkout = useStartCheckout()
  const trialDays = useTrialDays()(plan)
  const { name, note, perSeat } = planOf(publication, plan)
  const handleChoose = async () => {
    const { user, pendingMfa } = await whenSessionKnown()
    const from = checkoutPath(plan)
    if (!user) await navigate('/auth', { state: { mode: 'sign-up', from } })
    else if (pendingMfa !== 'none') await navigate('/auth/second-step', { state: { from } })
    else if (perSeat) await navigate(from)
    else checkout.mutate({ key: plan })
  }
  return (
    <li
      aria-labelledby={nameId}
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-b border-line py-5"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h2 id={nameId} className="text-lg font-semibold">
          {name}
        </h2>
        <p className="mt-1 tabular-nums">
          <PriceText
            text={
              offer
                ? upperFirst(offerPriceText(planOf(publication, plan), offer, { trialDays, now: new Date() }))
                : pricePerInterval(planOf(publication, plan))
            }
          />
        </p>
        <p className="text-sm text-muted">
          {[
            note,
            isForTeam(planOf(publication, plan)) || (offer && !note) ? peopleText(planOf(publication, plan)) : '',
            offer ? '' : 'Regular price',
          ]
            .filter(Boolean)
            .join('\u00a0· ')}
        </p>
      </div>
      <Button
        variant={offer ? 'primary' : 'secondary'}
        pending={checkout.isPending}
        onClick={handleChoose}
        aria-describedby={nameId}
      >
        {publication.labels.getStarted}
      </Button>
    </li>
  )
}

/** Sets the first amount of a sentence large. */
function PriceText({ text }: { text: string }) {
  const [, before = '', amount = '', after = ''] =
    /^(.*?)([^\w\s]*\p{Sc}[\d.,]*\d|[A-Z]{3}\s[\d.,]*\d|free)(.*)$/iu.exec(text) ?? ['', '', '', text]
  return (
    <>
      {before}
      <span className="display mr-0.5 text-3xl">{amount}</span>
      {after}
    </>
  )
}
