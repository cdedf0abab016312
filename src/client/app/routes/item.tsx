import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { ownPurchasesQuery } from '#client/features/billing/purchases/purchases.tsx'
import { soldItemsQuery, useBuyItem } from '#client/features/billing/purchases/sold-items.tsx'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { guidesQuery, useDownloadGuide } from '#client/features/library/guides/guides.api.ts'
import { PlainPrompt } from '#client/features/library/prompts/plain-prompt.tsx'
import { promptPacksQuery } from '#client/features/library/prompts/prompts.api.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession, whenSessionKnown } from '#client/lib/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { LoadError } from '#client/ui/loading.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { formatWholeMoney } from '#shared/domain/format.ts'
import { asksConsent } from '#shared/domain/legal.ts'
import { itemTerms, type SoldRef } from '#shared/domain/sold-items.ts'

const PurchaseTerms = lazy(() => import('#client/features/billing/subscriptions/purchase-terms.tsx'))

/** A pack or guide that is sold on its own: what is in it and its price, or its text for those who bought it. */
export function Component() {
  const { kind, id = '' } = useParams()
  const ref: SoldRef = { kind: kind === 'guide' ? 'guide' : 'prompt-pack', id }
  const { status, user } = useSession()
  const { status: checked, subscription } = useSubscription()
  const sold = useQuery(soldItemsQuery)
  const own = useQuery({ ...ownPurchasesQuery, enabled: user !== null })
  const isWaiting = status === 'loading' || (user && (checked === 'unknown' || own.isPending))
  if (sold.isError || own.isError) {
    return (
      <div className="page py-16">
        <LoadError what="this item" query={sold.isError ? sold : own} />
      </div>
    )
  }
  if (isWaiting || !sold.data) return <LoadingScreen />
  const bought = own.data?.items.find(
    ({ item, state }) => state === 'paid' && item?.kind === ref.kind && item.id === ref.id,
  )
  const item = sold.data.find((one) => one.kind === ref.kind && one.id === ref.id)
  const hasPlan = subscription.subscribed
  return (
    <div className="page max-w-3xl py-12 lg:py-20">
      {bought && !hasPlan ? (
        ref.kind === 'guide' ? (
          <OwnGuide id={id} />
        ) : (
          <OwnPack id={id} />
        )
      ) : item ? (
        <>
          <h1 className="display text-3xl [overflow-wrap:anywhere] sm:text-4xl">{item.title}</h1>
          <p className="mt-4 text-lg text-muted">{item.summary}</p>
          {hasPlan ? (
            <>
              <p className="mt-8 text-lg">Your plan includes this.</p>
              <ButtonLink className="mt-4" to={ref.kind === 'guide' ? '/portal/guides' : '/portal/prompt-packs'}>
                {publication.labels.goToPortal}
              </ButtonLink>
            </>
          ) : (
            <Buy item={item} />
          )}
          <h2 className="mt-10 text-lg font-semibold">What’s in it</h2>
          <ul className="mt-3 list-disc pl-5">
            {item.contents.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <h1 className="display text-3xl">This isn’t sold on its own</h1>
          <ButtonLink className="mt-8" to="/#pricing">
            See all plans
          </ButtonLink>
        </>
      )}
    </div>
  )
}

type Item = NonNullable<Awaited<ReturnType<NonNullable<typeof soldItemsQuery.queryFn>>>>[number]

function Buy({ item }: { item: Item }) {
  const { kind, id, priceCents, currency, taxText } = item
  const buy = useBuyItem()
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const start = (agreed?: string) => buy.mutate({ kind, id, amountCents: priceCents, agreed })
  const handleBuy = async () => {
    const { user, pendingMfa } = await whenSessionKnown()
    if (!user) await navigate('/auth', { state: { mode: 'sign-up', from: pathname } })
    else if (pendingMfa !== 'none') await navigate('/auth/second-step', { state: { from: pathname } })
    else if (asksConsent(publication.legal)) setAsks(true)
    else start()
  }
  if (asks && !buy.isError) {
    return (
      <Suspense fallback={null}>
        <div className="mt-8">
          <PurchaseTerms plan={itemTerms(item)} seats={1} trialDays={0} onAgree={start} />
        </div>
      </Suspense>
    )
  }
  return (
    <div className="mt-8 grid justify-items-start gap-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="display text-3xl tabular-nums">{formatWholeMoney(priceCents, currency)}</span>{' '}
        <span className="text-muted">once{taxText}. Yours for good, without a plan.</span>
      </p>
      <Button pending={buy.isPending} onClick={handleBuy}>
        Buy this {kind === 'guide' ? 'guide' : 'pack'}
      </Button>
      <InlineError>{buy.isError && errorMessage(buy.error)}</InlineError>
    </div>
  )
}

function OwnPack({ id }: { id: string }) {
  const query = useQuery(promptPacksQuery)
  const pack = query.data?.find((one) => one.id === id)
  if (!pack) return query.isError ? <LoadError what="your pack" query={query} /> : <LoadingScreen />
  return (
    <>
      <h1 className="display text-3xl [overflow-wrap:anywhere] sm:text-4xl">{pack.title}</h1>
      <p className="mt-4 text-lg text-muted">{pack.summary}</p>
      <nav aria-label="Prompts" className="mt-6 grid justify-items-start">
        {pack.prompts.map(({ id: prompt, title }) => (
          <a key={prompt} href={`#${prompt}`} className="text-link inline-flex min-h-11 items-center sm:min-h-8">
            {title}
          </a>
        ))}
      </nav>
      {pack.prompts.map((prompt) => (
        <section key={prompt.id} aria-labelledby={prompt.id} className="mt-10 border-t border-line pt-6">
          <h2 id={prompt.id} className="text-xl font-semibold">
            {prompt.title}
          </h2>
          <p className="mt-2 mb-4 text-muted">{prompt.when}</p>
          <PlainPrompt prompt={prompt} vertical={null} isOpen>
            {({ text, copy }) => (
              <div className="grid justify-items-start gap-4">
                {text}
                {copy}
              </div>
            )}
          </PlainPrompt>
          {prompt.checks.length > 0 && (
            <>
              <h3 className="mt-5 font-semibold">Check the answer</h3>
              <ul className="mt-1 list-disc pl-5">
                {prompt.checks.map((check) => (
                  <li key={check}>{check}</li>
                ))}
              </ul>
            </>
          )}
        </section>
      ))}
    </>
  )
}

function OwnGuide({ id }: { id: string }) {
  const query = useQuery(guidesQuery)
  const download = useDownloadGuide()
  const guide = query.data?.find((one) => one.id === id)
  if (!guide) return query.isError ? <LoadError what="your guide" query={query} /> : <LoadingScreen />
  return (
    <>
      <h1 className="display text-3xl [overflow-wrap:anywhere] sm:text-4xl">{guide.title}</h1>
      <p className="mt-4 text-lg text-muted">{guide.description}</p>
      <p className="mt-2 text-muted">
        {guide.format}, {guide.extent}
      </p>
      <Button className="mt-8" pending={download.isPending} onClick={() => download.mutate(id)}>
        Download
      </Button>
    </>
  )
}
