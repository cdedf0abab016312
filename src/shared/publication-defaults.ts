import type { BuiltInPage } from './domain/built-in-pages.ts'
import type { CommentAudience } from './domain/comments.ts'
import type { AssistantChoice } from './domain/connection-rights.ts'
import { designs, type Look } from './domain/designs.ts'
import { type LegalSettings, legalDefaults } from './domain/legal.ts'
import type { NewDropChoice } from './domain/open-sections.ts'
import { type OwnWords, ownWordDefaults } from './domain/own-words.ts'
import type { PlanTerms } from './domain/plan-terms.ts'
import type { Question, QuestionName } from './domain/question-terms.ts'

export type LegalPage = 'privacy' | 'terms' | 'accessibility' | 'withdraw'

export type SiteLink = { label: string; href: string }

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
  /** The logo of the dark theme; null for the same one. */
  logoDark: { src: string; width: number; height: number } | null
  /** True if the logo stands in for the name in headers. */
  hidesName: boolean
  /** Color of buttons and links in the light theme, such as #0f533c; empty for the design's. */
  accent: string
  look: Look
  /** Of the landing page. `small` is the same picture for narrow screens. */
  picture: { src: string; small: string; width: number; height: number; alt: string } | null
  /** In the publisher's order, with retired ones. */
  plans: readonly PlanTerms[]
  /** The specification's questions that the publisher changed. */
  questions: Readonly<Partial<Record<QuestionName, Question>>>
  /** Parts of a new drop that are open to everyone, besides its opening. */
  newDrops: NewDropChoice
  /** Who may connect an AI assistant. */
  assistants: AssistantChoice
  /** Who answers under drops. */
  comments: CommentAudience
  /** Legal pages that have a text, which the footer links to. */
  pages: readonly LegalPage[]
  legal: LegalSettings
  /** Pages of the product that readers don't see. */
  hiddenPages: readonly BuiltInPage[]
  navigation: {
    /** Tabs of the portal; hidden ones are left out. */
    tabs: readonly SiteLink[]
    /** Where the portal and the logo in it lead. */
    home: SiteLink
    /** Beside the name for visitors. Null until the publisher changes it: then only the public pages have links there. */
    header: readonly SiteLink[] | null
    /** For visitors. */
    footer: readonly SiteLink[]
    /** For members, in the footer. */
    members: readonly SiteLink[]
  }
  /** Shown in a bar above all pages today, until that instant. */
  announcement: { id: string; text: string; href: string | null; until: string | null } | null
  /** Titles of the pages behind the tabs, by the last part of their address. */
  tabTitles: Readonly<Record<keyof typeof tabTitleDefaults, string>>
  /** The line below those titles; empty for none. */
  tabLedes: Readonly<Record<keyof typeof tabTitleDefaults, string>>
  words: OwnWords
  /** Labels of buttons and of links to them. */
  labels: Readonly<Record<keyof typeof buttonLabelDefaults, string>>
}

export const tabTitleDefaults = {
  'weekly-drops': 'Weekly Drops',
  'prompt-packs': 'Prompt Packs',
  guides: 'Guides and Templates',
  tools: 'Tool Picks',
} as const

export const tabLedeDefaults = {
  'weekly-drops': 'One email a week: what to try, how long it takes, and the exact words to use.',
  'prompt-packs': 'Fill in the blanks, copy, and check the answer before you use it.',
  guides: 'Playbooks to follow and templates to adapt. See what’s inside before you download.',
  tools: 'AI tools we recommend, who they’re for, and who should skip them.',
} as const

export const buttonLabelDefaults = {
  getAccess: 'Get Access',
  choosePlan: 'Choose a Plan',
  enterPortal: 'Enter Portal',
  goToPortal: 'Go to Portal',
  getStarted: 'Get Started',
  signIn: 'Sign In',
} as const

/** Open to visitors, in the portal. */
const trustPages: readonly SiteLink[] = [
  { label: 'How we choose', href: '/portal/method' },
  { label: 'Safety rules', href: '/portal/safety' },
  { label: 'Editor', href: '/portal/editor' },
  { label: 'Corrections', href: '/portal/corrections' },
]

export const navigationDefaults: Publication['navigation'] = {
  tabs: [
    { label: 'Weekly Drops', href: '/portal/weekly-drops' },
    { label: 'Prompt Packs', href: '/portal/prompt-packs' },
    { label: 'Guides', href: '/portal/guides' },
    { label: 'Tools', href: '/portal/tools' },
  ],
  home: { label: 'weekly drops', href: '/portal/weekly-drops' },
  header: null,
  footer: [{ label: 'Drops', href: '/drops' }, { label: 'Glossary', href: '/glossary' }, ...trustPages],
  members: [
    { label: 'Start here', href: '/portal/start-here' },
    { label: 'Glossary', href: '/portal/glossary' },
    { label: 'Your year', href: '/portal/value' },
    ...trustPages,
  ],
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
  logoDark: null,
  assistants: 'everyone',
  comments: 'members',
  hidesName: false,
  accent: '',
  look: designs.counter.look,
  picture: null,
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
  questions: {},
  newDrops: 'first-section',
  pages: [],
  legal: legalDefaults,
  hiddenPages: [],
  navigation: navigationDefaults,
  tabTitles: tabTitleDefaults,
  tabLedes: tabLedeDefaults,
  words: ownWordDefaults,
  labels: buttonLabelDefaults,
  announcement: null,
}
