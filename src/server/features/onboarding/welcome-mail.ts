import { inOfferedOrder } from '#server/features/personalization/labels.ts'
import { layoutMail, type MailBlock } from '#server/mail/layout.ts'
import type { Mail } from '#server/mail/mail.ts'
import type { Issue } from '#shared/contracts/issues.ts'
import type { Preferences } from '#shared/contracts/preferences.ts'
import { formatDay, formatList } from '#shared/domain/format.ts'
import { orderIssues } from '#shared/domain/order-by-focus.ts'
import { publication } from '#shared/publication.ts'

const shownDrops = 3

type WelcomeData = { preferences: Preferences; issues: readonly Issue[]; publicUrl: string }

/**
 * The first letter: three drops in this reader's order, each with the reason for its place. Titles alone, since whoever
 * has only signed up has not paid for the texts.
 */
export function welcomeMail({ preferences, issues, publicUrl }: WelcomeData): Omit<Mail, 'to'> {
  const areas = inOfferedOrder(preferences.focusAreas)
  const lead = `You told us that your business is about ${formatList(areas)}, so what touches that stands first, here and in your portal.`
  const drops = orderIssues(issues, areas).slice(0, shownDrops)
  const blocks: MailBlock[] = [
    { kind: 'text', text: lead },
    ...drops.map(
      (issue): MailBlock => ({
        kind: 'link',
        label: issue.title,
        href: `${publicUrl}/portal/weekly-drops/${issue.slug}`,
        detail: whyHere(issue, areas),
      }),
    ),
    { kind: 'button', label: 'Open your portal', href: `${publicUrl}/portal` },
    // Not a bare address in a sentence: it cannot break, and would widen the mail on a phone.
    {
      kind: 'link',
      label: 'Change your answers',
      href: `${publicUrl}/account/preferences`,
      detail: 'When something changes in your business, the order changes with it.',
    },
  ]
  return {
    subject: `Welcome to ${publication.name}: your first drops, in your order`,
    ...layoutMail({
      title: 'Welcome. Here is where to begin.',
      preview: `What touches ${formatList(areas)} stands first.`,
      blocks,
      reason: 'You get this mail once, because you told us about your business.',
    }),
  }
}

function whyHere(issue: Issue, areas: readonly string[]): string {
  const shared = issue.tags.filter((tag) => areas.includes(tag))
  const read = `${formatDay(issue.date)}, ${issue.readingMinutes} min read`
  return shared.length > 0
    ? `First for you because it is about ${formatList(shared)}. ${read}.`
    : `About ${formatList(issue.tags)}. ${read}.`
}
