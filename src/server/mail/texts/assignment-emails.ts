import { type AssignmentCounts, isOverdue } from '#shared/domain/assignments.ts'
import { dueSentence } from '#shared/domain/due-day.ts'
import { formatDay } from '#shared/domain/format.ts'
import type { Email } from '../mailer.ts'
import { type EmailConfig, type EmailContent, type MaybeBlock, renderEmail } from '../render-email.ts'
import { defineEmailTexts } from './email-texts.ts'

const section = 'Team'
/** The page lists the rest. */
const maxListed = 10
/** Leaves room for the other words of the subject: phones show about 60 characters. */
const maxTitle = 34

export type EmailedAssignment = {
  title: string
  /** Null once readers can't open it anymore. */
  path: string | null
  dueOn: string | null
  note: string
  /** Null if it is for the person. */
  locationName: string | null
  /** Email address; empty if the account is gone. */
  from: string
}

export type OptionalEmail = {
  to: string
  config: EmailConfig
  unsubscribe: { page: string; oneClick: string }
}
type AssignmentEmail = OptionalEmail & {
  /** The recipient's day, "2026-11-22". */
  today: string
}

/** An email that its recipient can turn off, without being a newsletter. */
export const optionalEmail = (
  { to, config, unsubscribe }: OptionalEmail,
  content: Omit<EmailContent, 'footerLinks'>,
): Email => ({
  to,
  headers: {
    'List-Unsubscribe': `<${unsubscribe.oneClick}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
  ...renderEmail(config, {
    ...content,
    footerLinks: [
      { label: 'Unsubscribe', href: unsubscribe.page },
      { label: 'Email preferences', href: `${config.publicUrl}/account/email` },
    ],
  }),
})

type Texts = { subject: string; title: string; preview: string; lead: string; button: string }

const assignmentEmail = (
  about: AssignmentEmail,
  { lead, button, ...texts }: Texts,
  blocks: readonly MaybeBlock[],
  { page, cause } = { page: 'assignments', cause: 'you’re on a team' },
): Email =>
  optionalEmail(about, {
    ...texts,
    department: 'Team',
    blocks: [lead, ...blocks, { kind: 'button', label: button, href: `${about.config.publicUrl}/portal/${page}` }],
    reason: `You get this email because ${cause}. You can turn emails about assignments and deadlines off.`,
  })

const assignedTexts = defineEmailTexts(section, 'assigned', 'Assigned to someone', {
  subject: 'Assigned to you: {what}',
  title: 'Assigned to you',
  preview: 'See what to do, and check it off there.',
  lead: '{from} assigned {count} to you.',
  button: 'Open your assignments',
})

/** Tells one person, in one email, what was assigned to them. */
export function assignedEmail({
  assignments,
  ...about
}: AssignmentEmail & { assignments: readonly EmailedAssignment[] }): Email {
  const people = [...new Set(assignments.map(({ from }) => from))]
  const from = (people.length === 1 && people[0]) || 'Your team'
  const texts = assignedTexts(about.config, { what: whatOf(assignments), from, count: countOf(assignments) })
  return assignmentEmail(about, texts, listed(assignments, about))
}

const reminderTexts = defineEmailTexts(section, 'assignment-reminder', 'Reminder of an assignment', {
  subject: 'Reminder: {what}',
  title: 'Due soon',
  preview: 'Check it off when it’s done, so that your team knows.',
  lead: 'You have {count} to do.',
  button: 'Open your assignments',
})

/** Before the due date and on its day. */
export function assignmentReminderEmail({
  assignments,
  ...about
}: AssignmentEmail & { assignments: readonly EmailedAssignment[] }): Email {
  const texts = reminderTexts(about.config, { what: whatOf(assignments), count: countOf(assignments) })
  return assignmentEmail(about, texts, listed(assignments, about))
}

const summaryTexts = defineEmailTexts(section, 'assignment-summary', 'Weekly summary of what someone assigned', {
  subject: 'What you assigned: {open} open, {late} late, {done} done',
  title: 'What you assigned',
  preview: 'Who still has something to do, and what was finished since.',
  lead: '{open} open, {late} of them late, and {done} done in the last week.',
  button: 'Open assignments',
})

export type SummarizedAssignment = {
  title: string
  path: string | null
  dueOn: string | null
  done: boolean
  /** Email address or location; empty if it is gone. */
  toName: string
}

/** Sums up what one person assigned to others: open, and done in the last week. */
export function assignmentSummaryEmail({
  assignments,
  counts,
  ...about
}: AssignmentEmail & { assignments: readonly SummarizedAssignment[]; counts: AssignmentCounts }): Email {
  const { open, late, done } = counts
  const texts = summaryTexts(about.config, { open: String(open), late: String(late), done: String(done) })
  const isLate = (assignment: SummarizedAssignment) => isOverdue(assignment, about.today)
  const groups = [
    ['Late', assignments.filter(isLate)],
    ['Open', assignments.filter((assignment) => !assignment.done && !isLate(assignment))],
    ['Done', assignments.filter((assignment) => assignment.done)],
  ] as const
  const linkOf = ({ title, path, dueOn, toName }: SummarizedAssignment) => ({
    label: title,
    href: path && `${about.config.publicUrl}${path}`,
    detail: `For ${toName || 'someone who left'}${dueOn ? ` · due ${formatDay(dueOn)}` : ''}`,
  })
  const blocks = groups.flatMap(([heading, list]): MaybeBlock[] =>
    list.length === 0
      ? []
      : [
          { kind: 'heading', text: heading },
          { kind: 'links', links: list.slice(0, maxListed).map(linkOf) },
          more(list.length),
        ],
  )
  return assignmentEmail(about, texts, blocks)
}

const questionTexts = defineEmailTexts(section, 'task-question', 'Question from a crew', {
  subject: 'Question about {what}',
  title: 'A question from {where}',
  preview: 'Someone sent it from a task link.',
  lead: '{name} asks about “{title}”:',
  button: 'Open assignments',
})

/** What someone without an account asked by the link to a task. */
export function taskQuestionEmail({
  question: { title, where, name, text },
  ...about
}: AssignmentEmail & { question: { title: string; where: string; name: string; text: string } }): Email {
  const texts = questionTexts(about.config, { what: shortened(title), title, where: where || 'your team', name })
  return assignmentEmail(about, texts, [text])
}

export type EmailedDeadline = Pick<EmailedAssignment, 'title' | 'locationName'> & {
  dueOn: string
  prepare: { label: string; path: string } | null
}

const deadlineTexts = defineEmailTexts(section, 'deadline-reminder', 'Reminder of a deadline', {
  subject: '{what}, {when}',
  title: 'Time to prepare',
  preview: 'What to do before it, and where to check it off.',
  lead: 'You have {count} coming up.',
  button: 'Open your deadlines',
})

/** When the lead time of a date begins, and a week before it. */
export function deadlineReminderEmail({
  deadlines,
  when,
  ...about
}: AssignmentEmail & { deadlines: readonly EmailedDeadline[]; when: string }): Email {
  const [only, ...others] = deadlines
  const count = others.length === 0 ? 'one deadline' : `${deadlines.length} deadlines`
  const names =
    only && others.length === 0
      ? { what: shortened(only.title), when }
      : { what: `${deadlines.length} deadlines`, when: `the first ${when}` }
  const texts = deadlineTexts(about.config, { ...names, count })
  const rows = deadlines.map(({ prepare, ...row }) => ({
    ...row,
    path: prepare?.path ?? '/portal/deadlines',
    note: '',
  }))
  return assignmentEmail(about, texts, listed(rows, about), { page: 'deadlines', cause: 'you entered a deadline' })
}

function listed(
  assignments: readonly Omit<EmailedAssignment, 'from'>[],
  { config, today }: Pick<AssignmentEmail, 'config' | 'today'>,
): MaybeBlock[] {
  return [
    ...assignments.slice(0, maxListed).flatMap(({ title, path, dueOn, note, locationName }): MaybeBlock[] => {
      const detail = [dueOn && dueSentence(dueOn, today), locationName && `For ${locationName}`]
        .filter(Boolean)
        .join(' · ')
      return [
        { kind: 'links', links: [{ label: title, href: path && `${config.publicUrl}${path}`, detail }] },
        note !== '' && { kind: 'note', text: `Note: ${note}` },
      ]
    }),
    more(assignments.length),
  ]
}

const more = (count: number): MaybeBlock =>
  count > maxListed && { kind: 'note', text: `And ${count - maxListed} more.` }

const countOf = ({ length }: readonly unknown[]) => (length === 1 ? 'one thing' : `${length} things`)

const whatOf = (assignments: readonly EmailedAssignment[]): string => {
  const [only, ...others] = assignments
  return only && others.length === 0 ? shortened(only.title) : countOf(assignments)
}

export const shortened = (title: string) =>
  title.length > maxTitle ? `${title.slice(0, maxTitle - 1).trimEnd()}…` : title
