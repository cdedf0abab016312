import { layoutMail, type MailBlock } from '#server/mail/layout.ts'
import type { Mail } from '#server/mail/mail.ts'
import type { Issue } from '#shared/contracts/issues.ts'
import type { Preferences } from '#shared/contracts/preferences.ts'
import { publication } from '#shared/publication.ts'
import { introduceDrops, linkedDrops, namedDrops, pickFirstDrops } from './first-drops.ts'

export type NextStep = 'portal' | 'invitation' | 'plan'

const steps = {
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
} as const satisfies Record<NextStep, { subject: string; title: string; text?: string; label: string; path: string }>

type WelcomeData = {
  preferences: Preferences
  issues: readonly Issue[]
  /** What opens the portal to them: it is open already, a seat in a team waits for their answer, or a plan does. */
  next: NextStep
  publicUrl: string
}

/**
 * The email after the three questions. A member gets links to the drops to begin with; anyone else sees their titles and
 * the way to the plans, since the portal would turn them away.
 */
export function welcomeMail({ preferences, issues, next, publicUrl }: WelcomeData): Omit<Mail, 'to'> {
  const first = pickFirstDrops(issues, preferences)
  const saved = 'Thanks for telling us about your business. Your answers are saved.'
  const introduction = introduceDrops(first)
  const step = steps[next]
  const blocks: MailBlock[] = [
    { kind: 'text', text: saved },
    ...(introduction ? [{ kind: 'text', text: introduction } as const] : []),
    ...(next === 'portal' ? linkedDrops(first, publicUrl) : namedDrops(first)),
    ...('text' in step ? [{ kind: 'text', text: step.text } as const] : []),
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
    ...layoutMail({
      title: step.title,
      preview: saved,
      blocks,
      reason: 'You get this email once, because you told us about your business.',
    }),
  }
}
