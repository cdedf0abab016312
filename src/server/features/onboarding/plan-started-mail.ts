import type { PlanMail } from '#server/mail/billing-mails.ts'
import { layoutMail, type MailBlock } from '#server/mail/layout.ts'
import type { Mail } from '#server/mail/mail.ts'
import { nextDate } from '#server/mail/plan-dates.ts'
import type { Issue } from '#shared/contracts/issues.ts'
import type { Preferences } from '#shared/contracts/preferences.ts'
import { publication } from '#shared/publication.ts'
import { introduceDrops, linkedDrops, pickFirstDrops } from './first-drops.ts'

export type PlanStarted = Omit<PlanMail, 'to'> & {
  isReturning: boolean
  /** Null for a member who hasn't answered the three questions. */
  preferences: Preferences | null
  issues: readonly Issue[]
}

/** "You're in": the plan, its next date and the drops to begin with, which are open from now on. */
export function planStartedMail(started: PlanStarted): Omit<Mail, 'to'> {
  const { planName, publicUrl, preferences, issues, hasSeats, isReturning } = started
  const first = pickFirstDrops(issues, preferences)
  const lead = `${planName} is active, and everything in the portal is open to you. ${nextDate(started)}`.trim()
  const introduction = introduceDrops(first)
  const blocks: MailBlock[] = [
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
    ...layoutMail({
      title: isReturning ? "Welcome back. You're in" : "You're in",
      preview: lead,
      blocks,
      reason: 'You get this email because a plan started on your account.',
    }),
  }
}
