import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { Pricing } from '#client/features/billing/subscriptions/pricing.tsx'
import { FocusDemo } from '#client/features/publishing/landing/focus-demo.tsx'
import { useLandingContent } from '#client/features/publishing/landing/landing-content.ts'
import { Offerings } from '#client/features/publishing/landing/offerings.tsx'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { Button, ButtonAnchor, ButtonLink } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { LandingContent, LandingTexts } from '#shared/contracts/library/landing-samples.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'

export function LandingPage() {
  const content = useLandingContent()
  // The content is loaded after navigating from another page; the placeholder keeps the footer below the fold.
  return content ? <Content content={content} /> : <div aria-busy className="min-h-dvh" />
}

function Content({ content }: { content: LandingContent }) {
  const { hash } = useLocation()
  // The router scrolls after navigating, when the content may not be loaded yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is rendered
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <>
      <Hero action={<AccessButton />} content={content} />
      <Offerings content={content} />
      <section
        aria-label="Next step"
        className="page flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-8"
      >
        <a href="#pricing" className="text-link inline-flex min-h-11 items-center text-lg font-semibold">
          See the plans
        </a>
        <a href="/free" className="text-link inline-flex min-h-11 items-center">
          Or get the free edition
        </a>
      </section>
      <Pricing texts={content.texts.plans} />
      <Faq texts={content.texts.faq} />
    </>
  )
}

function Faq({ texts: { title, questions } }: { texts: LandingTexts['faq'] }) {
  return (
    <section
      aria-labelledby="faq-title"
      className="faq page grid gap-x-12 gap-y-8 py-16 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)] lg:py-24"
    >
      <h2 id="faq-title" className="display text-3xl">
        {title}
      </h2>
      <div className="border-b border-line">
        {questions.map(({ question, answer }) => (
          <details key={question} className="group border-t border-line">
            <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 text-lg font-semibold">
              {question}
              <Plus
                aria-hidden
                strokeWidth={1.75}
                className="size-5 shrink-0 text-muted transition-transform group-open:rotate-45"
              />
            </summary>
            <p className="max-w-[66ch] pb-5 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}

const signUpUrl = '/auth?mode=sign-up'

/** The hero's button: the next step for a visitor, a user without a plan, or a subscriber. */
function AccessButton() {
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

/** `action` is the main button, whose label depends on the visitor's subscription. */
function Hero({ action, content: { drop, texts, editor } }: { action: ReactNode; content: LandingContent }) {
  return (
    <section className="hero page grid gap-x-16 gap-y-6 pt-12 pb-16 sm:pt-16 lg:grid-cols-[minmax(0,13fr)_minmax(0,11fr)] lg:pb-24">
      <h1 className="display text-4xl lg:text-5xl">{texts.hero.title}</h1>
      <div className="lg:pt-2">
        <p className="max-w-[46ch] text-lg text-muted">{texts.hero.text}</p>
        <div className="mt-8 grid justify-items-start gap-y-3">
          {action}
          <p className="text-sm text-muted">{texts.hero.note}</p>
          {/* Hidden if theme.js found a stored session: signed-in readers choose their emails in their account. */}
          <form method="post" action="/free" className="mt-5 w-full max-w-md in-data-session:hidden">
            <label htmlFor="free-email" className="text-sm font-semibold">
              Email for the free edition
            </label>
            <div className="mt-1.5 flex flex-wrap gap-2">
              <input
                id="free-email"
                name="email"
                type="email"
                autoComplete="email"
                required
                maxLength={254}
                className={clsx(inputStyles, 'min-w-0 flex-[1_1_12rem]')}
              />
              <Button type="submit" variant="secondary" className="grow">
                Get the free edition
              </Button>
            </div>
          </form>
          {editor && (
            <p className="text-sm text-muted">
              Written by{' '}
              {hasPage(publication, 'about') ? (
                <a href="/about" className="text-link inline-flex min-h-11 items-center">
                  {editor}
                </a>
              ) : (
                editor
              )}
            </p>
          )}
        </div>
      </div>
      {publication.picture && <Picture {...publication.picture} />}
      {/* The order of a single text can’t change. */}
      {drop && drop.sections.length > 1 && <FocusDemo drop={drop} />}
    </section>
  )
}

/** The publisher's. Phones load its small version, which is up to 800 pixels wide. */
const Picture = ({ src, small, width, height, alt }: NonNullable<typeof publication.picture>) => (
  <img
    {...{ src, width, height }}
    alt={alt}
    srcSet={`${small} ${Math.round(width * Math.min(1, 800 / width, 800 / height))}w, ${src} ${width}w`}
    sizes="(min-width: 72rem) 68rem, 100vw"
    fetchPriority="high"
    className="mt-6 h-auto max-h-[32rem] w-full rounded-lg object-cover lg:col-span-2"
  />
)
