import type { Issue } from '#shared/contracts/issues.ts'
import type { Preferences } from '#shared/contracts/preferences.ts'
import { formatDay, formatList } from '#shared/domain/format.ts'
import { type PlanKey, plans } from '#shared/domain/plans.ts'
import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, renderEmail } from '../render-email.ts'
import { nextDate, type PlanEmail } from './billing-emails.ts'

export type FirstDrops = {
  /** Chosen focus areas, in the order in which the form offers them. */
  areas: readonly string[]
  /** Whether the drops are about these areas; otherwise they are the newest ones. */
  match: boolean
  drops: readonly Issue[]
}

/** What is left to do for access: nothing, accept a team invitation, finish checkout, or choose a plan. */
export type NextStep = { kind: 'portal' | 'invitation' | 'plan' } | { kind: 'checkout'; plan: PlanKey }

type StepTexts = { subject: string; title: string; text?: string; label: string; path: string }

const steps: Record<Exclude<NextStep['kind'], 'checkout'>, StepTexts> = {
  portal: { subject: '', title: 'Welcome. Here is where to start.', label: 'Open your portal', path: '/portal' },
  invitation: {
    subject: '. Next: join your team',
    title: 'Welcome. One step is left.',
    text: 'You have an invitation to a team. Accept it, and the portal opens right away at no cost to you.',
    label: 'Join your team',
    path: '/team/join',
  },
  plan: {
    subject: '. Next: choose a plan',
    title: 'Welcome. One step is left.',
    text: 'Choose a plan, and the portal opens right away.',
    label: 'Choose a plan',
    path: '/#pricing',
  },
}

function checkoutStep(plan: PlanKey): StepTexts {
  const { name, priceText, interval } = plans[plan]
  return {
    subject: '. Next: checkout',
    title: steps.plan.title,
    text: `You chose ${name}, ${priceText} per ${interval}. If you haven't finished checkout yet, you can continue where you left off.`,
    label: 'Continue to checkout',
    path: `/checkout/${plan}`,
  }
}

type WelcomeData = {
  first: FirstDrops
  next: NextStep
  publicUrl: string
}

/**
 * The email after the three questions. A member gets links to the drops to begin with; anyone else sees their titles and
 * the way to the plans, since the portal would turn them away.
 */
export function welcomeEmail({ first, next, publicUrl }: WelcomeData): Omit<Email, 'to'> {
  const saved = 'Thanks for telling us about your business. Your answers are saved.'
  const introduction = introduceDrops(first)
  const step = next.kind === 'checkout' ? checkoutStep(next.plan) : steps[next.kind]
  const blocks: EmailBlock[] = [
    { kind: 'text', text: saved },
    ...(introduction ? [{ kind: 'text', text: introduction } as const] : []),
    ...(next.kind === 'portal' ? linkedDrops(first, publicUrl) : namedDrops(first)),
    ...(step.text ? [{ kind: 'text', text: step.text } as const] : []),
    { kind: 'button', label: step.label, href: `${publicUrl}${step.path}` },
    // Not a bare address in a sentence: it cannot break, and would widen the mail on a phone.
    {
      kind: 'link',
      label: 'Change your answers',
      href: `${publicUrl}/account/preferences`,
      detail: 'Content that matches them moves to the top. You still get everything.',
    },
  ]
  return {
    subject: `Welcome to ${publication.name}${step.subject}`,
    ...renderEmail({
      title: step.title,
      preview: saved,
      blocks,
      reason: 'You get this email once, because you told us about your business.',
    }),
  }
}

export type PlanStarted = Omit<PlanEmail, 'to'> & {
  isReturning: boolean
  /** Null for a member who hasn't answered the three questions. */
  preferences: Preferences | null
  first: FirstDrops
}

/** "You're in": the plan, its next date and the drops to begin with, which are open from now on. */
export function planStartedEmail(started: PlanStarted): Omit<Email, 'to'> {
  const { planName, publicUrl, preferences, first, hasSeats, isReturning } = started
  const lead = `${planName} is active, and everything in the portal is open to you. ${nextDate(started)}`.trim()
  const introduction = introduceDrops(first)
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    ...(introduction ? [{ kind: 'text', text: introduction } as const] : []),
    ...linkedDrops(first, publicUrl),
    { kind: 'button', label: 'Open your portal', href: `${publicUrl}/portal` },
    ...(hasSeats
      ? [
          {
            kind: 'link',
            label: 'Invite your team',
            href: `${publicUrl}/account/team`,
            detail: 'Your plan includes seats for two more people.',
          } as const,
        ]
      : []),
    ...(preferences
      ? []
      : [
          {
            kind: 'link',
            label: 'Tell us about your business',
            href: `${publicUrl}/account/preferences`,
            detail: 'Matching content then moves to the top. You still get everything.',
          } as const,
        ]),
    {
      kind: 'link',
      label: 'Invoices, card and cancellation',
      href: `${publicUrl}/account/billing`,
      detail: 'Everything about your plan is under Account, Billing.',
    },
  ]
  return {
    subject: isReturning
      ? `Welcome back to ${publication.name}. You're in`
      : `You're in. Welcome to ${publication.name}`,
    ...renderEmail({
      title: isReturning ? "Welcome back. You're in" : "You're in",
      preview: lead,
      blocks,
      reason: 'You get this email because a plan started on your account.',
    }),
  }
}

/** One sentence that introduces the drops; empty when there are none. */
export function introduceDrops({ areas, match, drops }: FirstDrops): string {
  if (drops.length === 0) return ''
  if (match) {
    const verb = drops.length === 1 ? 'This drop matches' : 'These drops match'
    return `${verb} your focus ${areas.length === 1 ? 'area' : 'areas'}, ${formatList(areas)}:`
  }
  const latest = drops.length === 1 ? 'Here is the latest drop:' : 'Here are the latest drops:'
  return areas.length > 0 ? `No drop covers ${formatList(areas)} yet. ${latest}` : latest
}

const detailOf = ({ tags, date, readingMinutes }: Issue, { areas, match }: FirstDrops) => {
  const shared = match ? tags.filter((tag) => areas.includes(tag)) : tags
  return `${formatList(shared)}. ${formatDay(date)}, ${readingMinutes} min read`
}

/** For people who can open them. */
export const linkedDrops = (first: FirstDrops, publicUrl: string): EmailBlock[] =>
  first.drops.map((issue) => ({
    kind: 'link',
    label: issue.title,
    href: `${publicUrl}/portal/weekly-drops/${issue.slug}`,
    detail: detailOf(issue, first),
  }))

/** For people who can't open them yet: titles alone. */
export const namedDrops = (first: FirstDrops): EmailBlock[] =>
  first.drops.length > 0
    ? [{ kind: 'list', items: first.drops.map((issue) => `${issue.title} (${detailOf(issue, first)})`) }]
    : []
