import { AccessButton } from '#client/features/billing/access-button.tsx'
import { Pricing } from '#client/features/billing/pricing.tsx'
import { Faq } from '#client/features/landing/faq.tsx'
import { Hero } from '#client/features/landing/hero.tsx'
import { Offerings } from '#client/features/landing/offerings.tsx'

export function LandingPage() {
  return (
    <>
      <Hero action={<AccessButton />} />
      <Offerings />
      <Pricing />
      <Faq />
    </>
  )
}
