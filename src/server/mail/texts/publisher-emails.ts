import type { BackupProblem } from '#shared/contracts/operations/backups.ts'
import { contentPaths, type DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import type { PublishFailure } from '#shared/contracts/publishing/publishing.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { pauseTexts, sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { type StaffEventKind, staffEventKinds } from '#shared/domain/staff-emails.ts'
import { formatLongInstant } from '#shared/domain/zoned-time.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, type EmailConfig, renderEmail } from '../render-email.ts'

const reason = (config: EmailConfig) =>
  `You get this email because you’re an admin of ${config.settings.publication.name}.`
const department = 'Admin'
/** The page lists the rest. */
const maxErrors = 10

type AboutMailing = { to: string; id: string; subject: string; config: EmailConfig }

/** `timeZone`: the publication's, in which the time was scheduled. */
export function mailingNotSentEmail({
  sendFailure,
  timeZone,
  ...mailing
}: AboutMailing & { sendFailure: SendFailure; timeZone: string }): Email {
  const { scheduledAt, errors } = sendFailure
  const { why, remedy } = sendFailureTexts[sendFailure.reason]
  const when = scheduledAt ? ` for ${formatLongInstant(scheduledAt, timeZone)}` : ''
  const more = errors.length - maxErrors
  const named = more > 0 ? [...errors.slice(0, maxErrors), `And ${more} more`] : errors
  return mailingEmail(mailing, {
    subject: `${quoted(shortened(mailing.subject))} wasn’t sent`,
    preview: 'No one received it, and it’s a draft again.',
    title: 'Your mailing wasn’t sent',
    blocks: [
      {
        kind: 'text',
        text: `${quoted(mailing.subject)} was scheduled${when} but wasn’t sent. No one received it, and it’s a draft again.`,
      },
      { kind: 'heading', text: 'Why' },
      { kind: 'text', text: why },
      ...(named.length > 0 ? [{ kind: 'list', items: named } as const] : []),
      { kind: 'heading', text: 'What to do' },
      { kind: 'text', text: remedy },
    ],
  })
}

export function mailingPausedEmail({
  reason: pauseReason,
  ...mailing
}: AboutMailing & { reason: keyof typeof pauseTexts }): Email {
  const { why, remedy } = pauseTexts[pauseReason]
  return mailingEmail(mailing, {
    subject: `${quoted(shortened(mailing.subject))} paused automatically`,
    preview: 'No more emails are sent until you resume it.',
    title: 'Your mailing paused automatically',
    blocks: [
      {
        kind: 'text',
        text: `${quoted(mailing.subject)} is paused. No more emails are sent until you resume it.`,
      },
      { kind: 'heading', text: 'Why' },
      { kind: 'text', text: why },
      { kind: 'heading', text: 'What to do' },
      { kind: 'text', text: remedy },
    ],
  })
}

type AboutDocument = {
  to: string
  kind: DocumentKind
  id: string
  title: string
  failure: PublishFailure
  timeZone: string
  config: EmailConfig
}

/** `timeZone`: the publication's, in which the time was scheduled. */
export function publishingFailedEmail({ to, kind, id, title: name, failure, timeZone, config }: AboutDocument): Email {
  const { scheduledAt, problems } = failure
  const lead = `${quoted(name)} was scheduled for ${formatLongInstant(scheduledAt, timeZone)}. It wasn’t published, so nothing changed for readers.`
  const more = problems.length - maxErrors
  const named = problems.slice(0, maxErrors).map(({ message }) => message)
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'heading', text: 'What went wrong' },
    { kind: 'list', items: more > 0 ? [...named, `And ${more} more`] : named },
    { kind: 'heading', text: 'What to do' },
    { kind: 'text', text: 'Fix it in the editor, then publish or schedule it again.' },
    { kind: 'button', label: 'Open editor', href: `${config.publicUrl}/admin/content/${contentPaths[kind]}/${id}` },
  ]
  const subject = `${quoted(shortened(name))} wasn’t published`
  const preview = 'Nothing changed for readers. See what to fix.'
  const title = 'Scheduled publishing failed'
  return { to, ...renderEmail(config, { subject, department, title, preview, blocks, reason: reason(config) }) }
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
  to,
  problem,
  timeZone,
  config,
}: {
  to: string
  problem: BackupProblem
  timeZone: string
  config: EmailConfig
}): Email {
  const { subject, text } = backupTexts[problem.kind]
  const blocks: EmailBlock[] = [
    { kind: 'text', text: text(formatLongInstant(problem.since, timeZone)) },
    ...(problem.error
      ? ([
          { kind: 'heading', text: 'What went wrong' },
          { kind: 'text', text: problem.error },
        ] as const)
      : []),
    { kind: 'heading', text: 'What to do' },
    { kind: 'text', text: 'Solve the problem, and make a backup now. You get no other email about it.' },
    { kind: 'button', label: 'Open backups', href: `${config.publicUrl}/admin/settings/backups` },
  ]
  const preview = 'Your data may not be safe. See what to do.'
  return { to, ...renderEmail(config, { subject, department, preview, blocks, reason: reason(config) }) }
}

type DisabledWebhook = { to: string; url: string; reason: 'failures' | 'gone'; config: EmailConfig }

export function webhookDisabledEmail({ to, url, reason: cause, config }: DisabledWebhook): Email {
  const why =
    cause === 'gone'
      ? 'The receiving server answered that the address is gone (410).'
      : 'Every attempt to deliver an event failed, for more than a day.'
  const blocks: EmailBlock[] = [
    { kind: 'text', text: `${why} So we stopped sending events to this address:` },
    { kind: 'text', text: url },
    {
      kind: 'text',
      text: 'Events that were waiting are sent once you turn the webhook on again. The log shows each attempt, and you can send events again from there.',
    },
    { kind: 'button', label: 'Open webhooks', href: `${config.publicUrl}/admin/settings/api` },
  ]
  const subject = 'A webhook was turned off'
  return { to, ...renderEmail(config, { subject, department, preview: why, blocks, reason: reason(config) }) }
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

const chosenReason = (config: EmailConfig) =>
  `You get this email because you turned it on in the admin of ${config.settings.publication.name}.`
const chosenLinks = (config: EmailConfig) => [
  { label: 'Choose your emails', href: `${config.publicUrl}/admin#your-emails` },
]

type StaffEvents = { to: string; kind: StaffEventKind; count: number; config: EmailConfig }

/** Counts what happened since the last email; names stay in the admin. */
export function staffEventsEmail({ to, kind, count, config }: StaffEvents): Email {
  const { one, many, preview, path, button } = eventTexts[kind]
  return {
    to,
    ...renderEmail(config, {
      subject: count === 1 ? one : formatCount(count, one, many),
      department,
      preview,
      blocks: [
        { kind: 'text', text: `${preview} You get at most one email an hour about this.` },
        { kind: 'button', label: button, href: `${config.publicUrl}${path}` },
      ],
      reason: chosenReason(config),
      footerLinks: chosenLinks(config),
    }),
  }
}

type StaffSummary = {
  to: string
  /** The problems that the recipient may see. */
  counts: Partial<Record<StaffEventKind, number>>
  config: EmailConfig
}

const summaryLabels: Record<StaffEventKind, string> = {
  member: 'New members',
  canceled: 'Cancellations',
  'payment-failed': 'Failed payments',
  gift: 'Gifts paid for or claimed',
  answer: 'Answers and notes',
}

export function staffSummaryEmail({ to, counts, config }: StaffSummary): Email {
  const facts = staffEventKinds.flatMap((kind) => {
    const count = counts[kind]
    return count === undefined ? [] : [[summaryLabels[kind], formatNumber(count)] as const]
  })
  return {
    to,
    ...renderEmail(config, {
      subject: 'Your week in numbers',
      department,
      preview: facts.map(([label, count]) => `${label}: ${count}`).join(', '),
      blocks: [
        { kind: 'text', text: 'What happened in the last seven days:' },
        { kind: 'facts', facts },
        { kind: 'button', label: 'Open overview', href: `${config.publicUrl}/admin` },
      ],
      reason: chosenReason(config),
      footerLinks: chosenLinks(config),
    }),
  }
}

type MailingText = { subject: string; preview: string; title: string; blocks: readonly EmailBlock[] }

function mailingEmail({ to, id, config }: AboutMailing, { blocks, ...heading }: MailingText): Email {
  const button = { kind: 'button', label: 'Open mailing', href: `${config.publicUrl}/admin/newsletter/${id}` } as const
  return {
    to,
    ...renderEmail(config, { ...heading, department, blocks: [...blocks, button], reason: reason(config) }),
  }
}

/** Leaves room for what happened: phones show about 60 characters of a subject. */
const maxSubject = 40

const shortened = (subject: string) =>
  subject.length > maxSubject ? `${subject.slice(0, maxSubject - 1).trimEnd()}…` : subject

const quoted = (subject: string) => `“${subject}”`
