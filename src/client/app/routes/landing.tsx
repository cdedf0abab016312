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
  // Samples are loaded after navigating from another page; the placeholder keeps the footer below the fold.
  return samples ? <Content samples={samples} /> : <div aria-busy className="min-h-dvh" />
}

function Content({ samples }: { samples: LandingSamples }) {
  const { hash } = useLocation()
  // The router scrolls after navigating, when the samples may not be loaded yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is rendered
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
