import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { AccessButton } from '#client/features/billing/subscriptions/access-button.tsx'
import { Pricing } from '#client/features/billing/subscriptions/pricing.tsx'
import { Faq } from '#client/features/publishing/landing/faq.tsx'
import { Hero } from '#client/features/publishing/landing/hero.tsx'
import { useLandingContent } from '#client/features/publishing/landing/landing-content.ts'
import { Offerings } from '#client/features/publishing/landing/offerings.tsx'
import type { LandingContent } from '#shared/contracts/library/landing-samples.ts'

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
