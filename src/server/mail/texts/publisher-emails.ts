import type { BackupProblem } from '#shared/contracts/operations/backups.ts'
import { contentPaths, type DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import type { PublishFailure } from '#shared/contracts/publishing/publishing.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { pauseTexts, sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { type StaffEventKind, staffEventKinds } from '#shared/domain/staff-emails.ts'
import { formatLongInstant } from '#shared/domain/zoned-time.ts'
import type { EmailBlock, EmailConfig } from '../render-email.ts'
import { aboutAdmin, type ToReader, textEmail } from './email-texts.ts'

/** The page lists the rest. */
const maxErrors = 10
const listed = (errors: readonly string[]): EmailBlock | false =>
  errors.length > 0 && {
    kind: 'list',
    items:
      errors.length > maxErrors ? [...errors.slice(0, maxErrors), `And ${errors.length - maxErrors} more`] : errors,
  }

const heading = (text: string): EmailBlock => ({ kind: 'heading', text })
const button = ({ publicUrl }: EmailConfig, label: string, path: string): EmailBlock => ({
  kind: 'button',
  label,
  href: publicUrl + path,
})

type AboutMailing = ToReader & { id: string; subject: string }
const openMailing = ({ config, id }: AboutMailing) => button(config, 'Open mailing', `/admin/newsletter/${id}`)

/** `timeZone`: the publication's, in which the time was scheduled. */
export function mailingNotSentEmail(mailing: AboutMailing & { sendFailure: SendFailure; timeZone: string }) {
  const { scheduledAt, errors, reason } = mailing.sendFailure
  const { why, remedy } = sendFailureTexts[reason]
  const when = scheduledAt ? ` for ${formatLongInstant(scheduledAt, mailing.timeZone)}` : ''
  const texts = {
    subject: `${quoted(shortened(mailing.subject))} wasn’t sent`,
    preview: 'No one received it, and it’s a draft again.',
    title: 'Your mailing wasn’t sent',
    lead: `${quoted(mailing.subject)} was scheduled${when} but wasn’t sent. No one received it, and it’s a draft again.`,
  }
  const blocks = [heading('Why'), why, listed(errors), heading('What to do'), remedy, openMailing(mailing)]
  return textEmail(mailing, aboutAdmin(mailing.config), texts, blocks)
}

export function mailingPausedEmail(mailing: AboutMailing & { reason: keyof typeof pauseTexts }) {
  const { why, remedy } = pauseTexts[mailing.reason]
  const texts = {
    subject: `${quoted(shortened(mailing.subject))} paused automatically`,
    preview: 'No more emails are sent until you resume it.',
    title: 'Your mailing paused automatically',
    lead: `${quoted(mailing.subject)} is paused. No more emails are sent until you resume it.`,
  }
  const blocks = [heading('Why'), why, heading('What to do'), remedy, openMailing(mailing)]
  return textEmail(mailing, aboutAdmin(mailing.config), texts, blocks)
}

type AboutDocument = ToReader & {
  kind: DocumentKind
  id: string
  title: string
  failure: PublishFailure
  timeZone: string
}

/** `timeZone`: the publication's, in which the time was scheduled. */
export function publishingFailedEmail({ kind, id, title, failure, timeZone, ...to }: AboutDocument) {
  const texts = {
    subject: `${quoted(shortened(title))} wasn’t published`,
    preview: 'Nothing changed for readers. See what to fix.',
    title: 'Scheduled publishing failed',
    lead: `${quoted(title)} was scheduled for ${formatLongInstant(failure.scheduledAt, timeZone)}. It wasn’t published, so nothing changed for readers.`,
  }
  return textEmail(to, aboutAdmin(to.config), texts, [
    heading('What went wrong'),
    listed(failure.problems.map(({ message }) => message)),
    heading('What to do'),
    'Fix it in the editor, then publish or schedule it again.',
    button(to.config, 'Open editor', `/admin/content/${contentPaths[kind]}/${id}`),
  ])
}

const backupTexts = {
  failed: {
    subject: 'A backup failed',
    text: (since: string) => `Backups have failed since ${since}. Earlier ones are still there.`,
  },
  overdue: {
    subject: 'No backup for two days',
    text: (since: string) => `The last backup is from ${since}, although a backup is due every day.`,
  },
  drillFailed: {
    subject: 'A restore drill failed',
    text: (since: string) => `Since ${since}, the newest backup couldn’t be restored as it should.`,
  },
} as const

/** `timeZone`: the publication's. */
export function backupProblemEmail({
  problem,
  timeZone,
  ...to
}: ToReader & { problem: BackupProblem; timeZone: string }) {
  const { subject, text } = backupTexts[problem.kind]
  const lead = text(formatLongInstant(problem.since, timeZone))
  const preview = 'Your data may not be safe. See what to do.'
  return textEmail(to, aboutAdmin(to.config), { subject, preview, lead }, [
    ...(problem.error ? [heading('What went wrong'), problem.error] : []),
    heading('What to do'),
    'Solve the problem, and make a backup now. You get no other email about it.',
    button(to.config, 'Open backups', '/admin/settings/backups'),
  ])
}

export function webhookDisabledEmail({ url, reason, ...to }: ToReader & { url: string; reason: 'failures' | 'gone' }) {
  const preview =
    reason === 'gone'
      ? 'The receiving server answered that the address is gone (410).'
      : 'Every attempt to deliver an event failed, for more than a day.'
  const lead = `${preview} So we stopped sending events to this address:`
  return textEmail(to, aboutAdmin(to.config), { subject: 'A webhook was turned off', preview, lead }, [
    url,
    'Events that were waiting are sent once you turn the webhook on again. The log shows each attempt, and you can send events again from there.',
    button(to.config, 'Open webhooks', '/admin/settings/api'),
  ])
}

const eventTexts: Record<StaffEventKind, { one: string; many: string; preview: string; path: string; button: string }> =
  {
    member: {
      one: 'A new member',
      many: 'new members',
      preview: 'Since the last email like this one.',
      path: '/admin',
      button: 'Open overview',
    },
    canceled: {
      one: 'A plan was canceled',
      many: 'plans were canceled',
      preview: 'They stay open until the end of what is paid.',
      path: '/admin',
      button: 'Open overview',
    },
    'payment-failed': {
      one: 'A payment failed',
      many: 'payments failed',
      preview: 'Each member was told, and Stripe tries again.',
      path: '/admin',
      button: 'Open overview',
    },
    gift: {
      one: 'A gift was paid for or claimed',
      many: 'gifts were paid for or claimed',
      preview: 'See each gift and what became of it in the admin.',
      path: '/admin/money/gifts',
      button: 'Open gifts',
    },
    answer: {
      one: 'A reader answered you',
      many: 'readers answered you',
      preview: 'Read the answers in the admin.',
      path: '/admin/tried',
      button: 'Open answers',
    },
  }

const aboutChosen = ({ publicUrl, settings: { publication } }: EmailConfig) => ({
  department: 'Admin' as const,
  reason: `You get this email because you turned it on in the admin of ${publication.name}.`,
  footerLinks: [{ label: 'Choose your emails', href: `${publicUrl}/admin#your-emails` }],
})

/** Counts what happened since the last email; names stay in the admin. */
export function staffEventsEmail({ kind, count, ...to }: ToReader & { kind: StaffEventKind; count: number }) {
  const { one, many, preview, path, button: label } = eventTexts[kind]
  const lead = `${preview} You get at most one email an hour about this.`
  const subject = count === 1 ? one : formatCount(count, one, many)
  return textEmail(to, aboutChosen(to.config), { subject, preview, lead }, [button(to.config, label, path)])
}

const summaryLabels: Record<StaffEventKind, string> = {
  member: 'New members',
  canceled: 'Cancellations',
  'payment-failed': 'Failed payments',
  gift: 'Gifts paid for or claimed',
  answer: 'Answers and notes',
}

/** `counts`: of the events that the recipient may see. */
export function staffSummaryEmail({ counts, ...to }: ToReader & { counts: Partial<Record<StaffEventKind, number>> }) {
  const facts = Object.fromEntries(
    staffEventKinds.flatMap((kind) => {
      const count = counts[kind]
      return count === undefined ? [] : [[summaryLabels[kind], formatNumber(count)]]
    }),
  )
  const preview = Object.entries(facts)
    .map(([label, count]) => `${label}: ${count}`)
    .join(', ')
  const lead = 'What happened in the last seven days:'
  return textEmail(to, aboutChosen(to.config), { subject: 'Your week in numbers', preview, lead }, [
    { kind: 'facts', facts },
    button(to.config, 'Open overview', '/admin'),
  ])
}

/** Leaves room for what happened: phones show about 60 characters of a subject. */
const maxSubject = 40

const shortened = (subject: string) =>
  subject.length > maxSubject ? `${subject.slice(0, maxSubject - 1).trimEnd()}…` : subject

const quoted = (subject: string) => `“${subject}”`
