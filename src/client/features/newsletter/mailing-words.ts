import type { DeliveryFilter, MailingSummary } from '#shared/contracts/admin-newsletter.ts'
import {
  type DeliveryStatus,
  deliveryCauses,
  type MailingKind,
  type MailingStatus,
} from '#shared/contracts/newsletter.ts'

export const kindWords: Record<MailingKind, string> = {
  issue: 'Weekly drop',
  digest: 'Monthly digest',
  news: 'Product news',
}

export const statusWords: Record<MailingStatus, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  preparing: 'Preparing',
  sending: 'Sending',
  paused: 'Paused',
  stopped: 'Stopped',
  sent: 'Sent',
}

export const statusTones: Record<MailingStatus, 'plain' | 'primary' | 'accent' | 'danger'> = {
  draft: 'plain',
  scheduled: 'accent',
  preparing: 'primary',
  sending: 'primary',
  paused: 'danger',
  stopped: 'plain',
  sent: 'plain',
}

/** `sending` is the handful that a mail server holds right now. */
export const deliveryWords: Record<DeliveryStatus, string> = {
  pending: 'Waiting',
  sending: 'On their way',
  submitted: 'Accepted',
  failed: 'Failed',
  suppressed: 'Left out',
  stopped: 'Not sent',
  unknown: 'Unknown',
}

const pauseWords: Record<string, string> = {
  publisher: 'You paused it.',
  bounces: 'It paused by itself: too many addresses do not exist. Look at the list before you go on.',
  complaints: 'It paused by itself: too many readers reported it as spam.',
  content: 'It paused by itself: its text cannot be set. Stop it and prepare it anew.',
  postal_address:
    'Paused automatically: there is no postal address in newsletter settings, and US law requires one in list email. Add it, then resume.',
  transport: 'It paused by itself: the mail server takes no mail at the moment.',
}

export const pauseText = ({ pause_reason }: Pick<MailingSummary, 'pause_reason'>): string =>
  pauseWords[pause_reason ?? ''] ?? 'Nothing goes out until you resume it.'

const whole = new Intl.NumberFormat('en-US')
export const figure = (value: number): string => whole.format(value)

/** "1 reader", "2,310 readers". */
export const readers = (count: number): string => `${figure(count)} ${count === 1 ? 'reader' : 'readers'}`

export const feedbackWords = {
  hard_bounce: 'Came back for good',
  soft_bounce: 'Came back for now',
  complaint: 'Reported as spam',
  opened: 'Opened by readers',
  clicked: 'Clicked by readers',
  robot_opened: 'Opened by programs',
  robot_clicked: 'Clicked by programs',
} as const

/** What a list behind a figure is called. */
export const filterTitle = ({ status, cause, feedback }: DeliveryFilter): string => {
  if (feedback) return feedbackWords[feedback]
  if (cause) return deliveryCauses[cause]
  return status ? deliveryWords[status] : 'Everybody'
}
