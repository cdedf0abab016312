import type { Issue } from '#shared/contracts/library/issues.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { formatDay, formatList } from '#shared/domain/format.ts'
import { spellCount } from '#shared/domain/format-count.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { type PlanKey, planOf, unlimitedSeats } from '#shared/domain/plans.ts'
import { optionLabels, type Questions } from '#shared/domain/preferences.ts'
import { formatPrice, listPrice } from '#shared/domain/subscription-price.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, type EmailConfig, type LinkRow, type MaybeBlock, renderEmail } from '../render-email.ts'
import { dateFacts, nextDate, type PlanEmail, planFacts } from './billing-emails.ts'
import { defineEmailTexts } from './email-texts.ts'

export type FirstDrops = {
  /** Keys of the chosen focus areas, in the order of the form. */
  areas: readonly string[]
  /** True if the drops match these areas. Otherwise they are the newest ones. */
  match: boolean
  drops: readonly Issue[]
}

/** The next step to access: none, accept a team invitation, finish checkout, or choose a plan. */
export type NextStep = { kind: 'portal' | 'invitation' | 'plan' } | { kind: 'checkout'; plan: PlanKey }

type StepTexts = { subject: string; title: string; lead: string; more?: string; button: string }

const section = 'Welcome'
const lead = 'Thanks for telling us about your business. Your answers are saved.'
const oneStep = { title: 'Welcome. One step to go.', lead }

const portalTexts = defineEmailTexts(section, 'welcome-member', 'After the questions, with access', {
  subject: 'Welcome to {publication}',
  title: 'Welcome. Here’s where to start.',
  lead,
  button: 'Open your portal',
})
const invitationTexts = defineEmailTexts(section, 'welcome-invited', 'After the questions, invited to a team', {
  subject: 'Welcome to {publication}. Next: join your team',
  ...oneStep,
  more: 'You’re invited to a team. Accept the invitation to open the portal at no cost.',
  button: 'Join your team',
})
const planTexts = defineEmailTexts(section, 'welcome', 'After the questions, without a plan', {
  subject: 'Welcome to {publication}. Next: choose a plan',
  ...oneStep,
  more: 'Choose a plan to open the portal right away.',
  button: 'Choose a plan',
})
const checkoutTexts = defineEmailTexts(section, 'welcome-checkout', 'After the questions, before checkout', {
  subject: 'Welcome to {publication}. Next: checkout',
  ...oneStep,
  more: 'You chose {plan}, {price}. If you haven’t finished checkout yet, you can continue where you left off.',
  button: 'Continue to checkout',
})

function readStep(config: EmailConfig, next: NextStep): { texts: StepTexts; path: string } {
  if (next.kind === 'checkout') {
    const plan = planOf(config.settings.publication, next.plan)
    return {
      texts: checkoutTexts(config, { plan: plan.name, price: formatPrice(listPrice(plan)) }),
      path: `/checkout/${next.plan}`,
    }
  }
  if (next.kind === 'portal') return { texts: portalTexts(config), path: '/portal' }
  if (next.kind === 'invitation') return { texts: invitationTexts(config), path: '/team/join' }
  return { texts: planTexts(config), path: '/#pricing' }
}

type WelcomeData = {
  first: FirstDrops
  next: NextStep
  config: EmailConfig
}

/** Sent once, after onboarding. Members get links to the first drops; other readers see titles and their next step. */
export function welcomeEmail({ first, next, config }: WelcomeData): Omit<Email, 'to'> {
  const { texts, path } = readStep(config, next)
  const blocks: MaybeBlock[] = [
    texts.lead,
    texts.more,
    { kind: 'button', label: texts.button, href: `${config.publicUrl}${path}` },
    ...firstForYou(config, first, next.kind === 'portal' ? linkedDrops(config, first) : namedDrops(config, first)),
    { kind: 'heading', text: next.kind === 'portal' ? 'Next' : 'Your answers' },
    {
      kind: 'links',
      links: [
        ...(next.kind === 'portal' ? startHere(config) : []),
        {
          label: 'Change your answers',
          href: `${config.publicUrl}/account/preferences`,
          detail: 'Matching content moves to the top. You still get everything.',
        },
      ],
    },
  ]
  return renderEmail(config, {
    subject: texts.subject,
    department: 'Welcome',
    title: texts.title,
    preview: first.drops.length > 0 ? 'Your answers are saved. See what to read first.' : 'Your answers are saved.',
    blocks,
    reason: 'You get this email once, because you told us about your business.',
  })
}

export type PlanStarted = Omit<PlanEmail, 'to'> & {
  isReturning: boolean
  /** Null for a member who hasn't answered the questions. */
  preferences: Preferences | null
  first: FirstDrops
}

const startedTexts = defineEmailTexts(section, 'plan-started', 'A plan started', {
  subject: 'You’re in. Welcome to {publication}',
  title: 'You’re in',
  lead: '{plan} is active, and you have full access to the portal. {next}',
  button: 'Open your portal',
})
const startedAgainTexts = defineEmailTexts(section, 'plan-started-again', 'A plan started again', {
  subject: 'Welcome back to {publication}. You’re in',
  title: 'Welcome back. You’re in',
  lead: '{plan} is active, and you have full access to the portal. {next}',
  button: 'Open your portal',
})

/** Sent when a plan starts: its next date and the drops to read first. */
export function planStartedEmail(started: PlanStarted): Omit<Email, 'to'> {
  const { planName, config, preferences, first, seats, isReturning } = started
  const texts = (isReturning ? startedAgainTexts : startedTexts)(config, { plan: planName, next: nextDate(started) })
  const lead = texts.lead.trim()
  const next: LinkRow[] = [
    ...(isReturning ? [] : startHere(config)),
    ...(seats > 1
      ? [
          {
            label: 'Invite your team',
            href: `${config.publicUrl}/account/team`,
            detail:
              seats === unlimitedSeats
                ? 'Your plan is for any number of people.'
                : `Your plan includes ${seats === 2 ? 'a seat for one more person' : `seats for ${spellCount(seats - 1)} more people`}.`,
          },
        ]
      : []),
    ...(preferences
      ? []
      : [
          {
            label: 'Tell us about your business',
            href: `${config.publicUrl}/account/preferences`,
            detail: 'Matching content moves to the top. You still get everything.',
          },
        ]),
    {
      label: 'Manage your plan',
      href: `${config.publicUrl}/account/billing`,
      detail: 'Find your invoices and card, or cancel, under Account > Billing.',
    },
  ]
  const blocks: MaybeBlock[] = [
    lead,
    { kind: 'facts', facts: { ...planFacts(started), ...dateFacts(started) } },
    { kind: 'button', label: texts.button, href: `${config.publicUrl}/portal` },
    ...firstForYou(config, first, linkedDrops(config, first)),
    { kind: 'heading', text: 'Next' },
    { kind: 'links', links: next },
  ]
  return renderEmail(config, {
    subject: texts.subject,
    department: 'Welcome',
    title: texts.title,
    preview: lead,
    blocks,
    reason: 'You get this email because a plan started on your account.',
  })
}

/** Nothing while the publisher hides the page. */
const startHere = ({ publicUrl, settings }: EmailConfig): LinkRow[] =>
  hasPage(settings.publication, 'start-here')
    ? [{ label: 'Start here', href: `${publicUrl}/portal/start-here`, detail: 'A few steps for your first week.' }]
    : []

/** The drops under a heading; nothing when there are none. */
const firstForYou = (config: EmailConfig, first: FirstDrops, links: readonly LinkRow[]): EmailBlock[] =>
  links.length > 0
    ? [
        {
          kind: 'heading',
          text: first.match ? 'First for you' : inOwnWords(config.settings.publication, 'Latest drops'),
        },
        introduceDrops(config.settings.publication, first),
        { kind: 'links', links },
      ]
    : []

/** One sentence that introduces the drops; empty when there are none. */
export function introduceDrops(
  publication: Questions & Pick<Publication, 'words'>,
  { areas, match, drops }: FirstDrops,
): string {
  if (drops.length === 0) return ''
  const names = formatList(optionLabels(publication, 'focusAreas', areas))
  const own = (text: string) => inOwnWords(publication, text)
  if (match) {
    const verb = own(drops.length === 1 ? 'This drop matches' : 'These drops match')
    return `${verb} ${publication.questions.focusAreas ? 'what you chose' : `your focus ${areas.length === 1 ? 'area' : 'areas'}`}, ${names}:`
  }
  const latest = own(drops.length === 1 ? 'Here’s the latest drop:' : 'Here are the latest drops:')
  return areas.length > 0 ? `${own('No drop covers')} ${names} yet. ${latest}` : latest
}

const detailOf = (publication: Questions, { tags, date, readingMinutes }: Issue, { areas, match }: FirstDrops) => {
  const shared = match ? tags.filter((tag) => areas.includes(tag)) : tags
  return `${formatList(optionLabels(publication, 'focusAreas', shared))}. ${formatDay(date)}, ${readingMinutes} min read`
}

/** For readers with access. */
export const linkedDrops = ({ publicUrl, settings }: EmailConfig, first: FirstDrops): LinkRow[] =>
  first.drops.map((issue) => ({
    label: issue.title,
    href: `${publicUrl}/portal/weekly-drops/${issue.slug}`,
    detail: detailOf(settings.publication, issue, first),
  }))

/** For readers without access: titles only. */
export const namedDrops = ({ settings }: EmailConfig, first: FirstDrops): LinkRow[] =>
  first.drops.map((issue) => ({ label: issue.title, href: null, detail: detailOf(settings.publication, issue, first) }))
