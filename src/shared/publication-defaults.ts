import type { NewDropChoice } from './domain/open-sections.ts'

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
  /** The uploaded logo, as large as in the header; null for the bell. */
  logo: { src: string; width: number; height: number } | null
  /** Color of buttons and links in the light theme, such as #0f533c; empty for pine. */
  accent: string
  /** Names of the plans, and the line under the price; empty for none. */
  plans: Readonly<Record<'pro_monthly' | 'pro_yearly' | 'team_monthly', { name: string; note: string }>>
  /** What is open to everyone in a new drop, besides its opening. */
  newDrops: NewDropChoice
  /** Legal pages that have a text, which the footer links to. */
  pages: readonly ('privacy' | 'terms')[]
}

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
  plans: {
    pro_monthly: { name: 'Pro Monthly', note: '' },
    pro_yearly: { name: 'Pro Yearly', note: 'Save $21 a year' },
    team_monthly: { name: 'Team Monthly', note: 'Up to 3 team members' },
  },
  newDrops: 'first-section',
  pages: [],
}
