import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { AccessButton } from '#client/features/billing/access-button.tsx'
import { Pricing } from '#client/features/billing/pricing.tsx'
import { Faq } from '#client/features/landing/faq.tsx'
import { Hero } from '#client/features/landing/hero.tsx'
import { useLandingSamples } from '#client/features/landing/landing-samples.ts'
import { Offerings } from '#client/features/landing/offerings.tsx'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'

export function LandingPage() {
  const samples = useLandingSamples()
  // Whoever comes from another page waits a round trip, with the footer below the fold, so that nothing moves.
  return samples ? <Content samples={samples} /> : <div aria-busy className="min-h-dvh" />
}

function Content({ samples }: { samples: LandingSamples }) {
  const { hash } = useLocation()
  // The router looks for the place when it has navigated; the page may be there only now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <>
      <Hero action={<AccessButton />} drop={samples.drop} />
      <Offerings samples={samples} />
      <Pricing promptCount={samples.promptCount} />
      <Faq />
    </>
  )
}
