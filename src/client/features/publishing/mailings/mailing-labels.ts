import { inWords, ownWords } from '#client/lib/publication.ts'
import type { DeliveryFilter } from '#shared/contracts/publishing/deliveries.ts'
import { bounceCauses } from '#shared/contracts/publishing/mailing-report.ts'
import type { MailingSummary } from '#shared/contracts/publishing/mailings.ts'
import {
  type DeliveryStatus,
  deliveryCauses,
  type MailingKind,
  type MailingStatus,
} from '#shared/contracts/publishing/newsletter.ts'
import { type AlertText, pauseTexts } from '#shared/domain/mailing-alerts.ts'

export const kindLabels: Record<MailingKind, string> = {
  issue: ownWords`Weekly drop`,
  digest: 'Monthly digest',
  news: 'Product news',
  'follow-up': '“Did it work?”',
  personal: 'Personal email',
  series: 'Series',
}

export const statusLabels: Record<MailingStatus, string> = {
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

export const deliveryLabels: Record<DeliveryStatus, string> = {
  pending: 'Queued',
  sending: 'Sending',
  submitted: 'Accepted',
  failed: 'Failed',
  suppressed: 'Suppressed',
  stopped: 'Not sent',
  unknown: 'Unknown',
}

export const pauseText = ({ pauseReason }: Pick<MailingSummary, 'pauseReason'>): string => {
  if (pauseReason === 'publisher') return 'Paused by you.'
  const text = pauseAlert(pauseReason)
  return text ? `Paused automatically: ${text.why} ${text.remedy}` : 'Resume it to continue sending.'
}

/** Why a mailing paused automatically and what to do; undefined if the publisher paused it. */
export const pauseAlert = (reason: string | null): AlertText | undefined =>
  Object.entries<AlertText>(pauseTexts).find(([known]) => known === reason)?.[1]

export const feedbackLabels = {
  delivered: 'Delivered',
  bounced: 'Bounced',
  unsubscribed: 'Unsubscribed',
  hard_bounce: 'Hard bounces',
  soft_bounce: 'Soft bounces',
  complaint: 'Spam complaints',
  opened: 'Opened by readers',
  clicked: 'Clicked by readers',
  bot_opened: 'Opened by bots',
  bot_clicked: 'Clicked by bots',
} as const

/** Page title for a delivery filter. */
export const filterTitle = ({ status, cause, feedback, bounceCause, link }: DeliveryFilter): string => {
  if (link) return 'Readers who clicked'
  if (bounceCause) return bounceCauses[bounceCause]
  if (feedback) return feedbackLabels[feedback]
  if (cause) return inWords(deliveryCauses[cause])
  return status ? deliveryLabels[status] : 'All recipients'
}
