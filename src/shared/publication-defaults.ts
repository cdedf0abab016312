import type { NewDropChoice } from './domain/open-sections.ts'
import type { PlanTerms } from './domain/plan-terms.ts'

/** The publisher's settings that pages and emails use everywhere. The document of every page contains them. */
export type Publication = {
  name: string
  tagline: string
  /** For search engines and link previews. */
  description: string
  /** Before the name in the footer. */
  footer: string
  /** Sender's name in emails; empty for the publication's. */
  senderName: string
  /** The uploaded logo with its size in the header; null for the default bell. */
  logo: { src: string; width: number; height: number } | null
  /** Color of buttons and links in the light theme, such as #0f533c; empty for pine. */
  accent: string
  /** In the publisher's order, with retired ones. */
  plans: readonly PlanTerms[]
  /** Parts of a new drop that are open to everyone, besides its opening. */
  newDrops: NewDropChoice
  /** Legal pages that have a text, which the footer links to. */
  pages: readonly ('privacy' | 'terms')[]
}

const defaultPlan = {
  note: '',
  features: [],
  currency: 'usd',
  interval: 'month',
  seats: 1,
  trialDays: null,
  isRetired: false,
} as const

/**
 * Used until the publisher changes a setting. The browser's bundle reads the current ones from the document instead
 * (scripts/build/html-head.ts).
 */
export const publicationDefaults: Publication = {
  name: 'Front Counter',
  tagline: 'Practical AI for franchise owners and leaders',
  description:
    'A weekly newsletter and a members’ library of prompts, guides, and tool picks for people who run franchise locations.',
  footer: '© 2025',
  senderName: '',
  logo: null,
  accent: '',
  plans: [
    {
      ...defaultPlan,
      key: 'pro_monthly',
      name: 'Pro Monthly',
      priceCents: 1000,
      priceText: '$10',
      comparedText: '$120 a year',
    },
    {
      ...defaultPlan,
      key: 'pro_yearly',
      name: 'Pro Yearly',
      note: 'Save $21 a year',
      priceCents: 9900,
      interval: 'year',
      priceText: '$99',
      comparedText: '$8.25 a month',
    },
    {
      ...defaultPlan,
      key: 'team_monthly',
      name: 'Team Monthly',
      note: 'Up to 3 team members',
      priceCents: 2000,
      priceText: '$20',
      comparedText: '$240 a year',
      seats: 3,
    },
  ],
  newDrops: 'first-section',
  pages: [],
}
