import type { DeliveryFilter } from '#shared/contracts/publishing/deliveries.ts'
import type { MailingProgress } from '#shared/contracts/publishing/mailings.ts'

type Counted = { tracked: boolean; progress: MailingProgress }

/** A figure of the report: a count, and the larger count that it is a share of. */
export type ReportFigure = {
  name: 'sent' | 'delivered' | 'opened' | 'clicked' | 'unsubscribed' | 'bounced' | 'complaints'
  label: string
  /** Base of the share; undefined for the first figure. */
  of?: string
  value(progress: MailingProgress): number
  base?(progress: MailingProgress): number
  /** The list of deliveries that the count consists of. */
  filter: DeliveryFilter
  /** Counted only in mailings that track opens and clicks. */
  isTracked?: boolean
}

const sent = ({ statuses }: MailingProgress) => statuses.submitted
const delivered = (progress: MailingProgress) => progress.delivered
const countable = (progress: MailingProgress) => progress.countable

/** In the order in which the report shows them. */
export const reportFigures: readonly ReportFigure[] = [
  { name: 'sent', label: 'Sent', value: sent, filter: { status: 'submitted' } },
  {
    name: 'delivered',
    label: 'Delivered',
    of: 'of sent',
    value: delivered,
    base: sent,
    filter: { feedback: 'delivered' },
  },
  {
    name: 'opened',
    label: 'Opened',
    of: 'of those who allow it',
    value: ({ opened }) => opened,
    base: countable,
    filter: { feedback: 'opened' },
    isTracked: true,
  },
  {
    name: 'clicked',
    label: 'Clicked',
    of: 'of those who allow it',
    value: ({ clicked }) => clicked,
    base: countable,
    filter: { feedback: 'clicked' },
    isTracked: true,
  },
  {
    name: 'unsubscribed',
    label: 'Unsubscribed',
    of: 'of delivered',
    value: ({ unsubscribed }) => unsubscribed,
    base: delivered,
    filter: { feedback: 'unsubscribed' },
  },
  {
    name: 'bounced',
    label: 'Bounced',
    of: 'of sent',
    value: ({ hardBounces, softBounces }) => hardBounces + softBounces,
    base: sent,
    filter: { feedback: 'bounced' },
  },
  {
    name: 'complaints',
    label: 'Spam complaints',
    of: 'of delivered',
    value: ({ complaints }) => complaints,
    base: delivered,
    filter: { feedback: 'complaint' },
  },
]

/** The share from 0 to 1, at most 1: someone may allow counting after an email was sent. Null without a base, or if the mailing didn't count this figure. */
export function shareOf({ value, base, isTracked }: ReportFigure, { tracked, progress }: Counted): number | null {
  const whole = base?.(progress) ?? 0
  return whole === 0 || (isTracked && !tracked) ? null : Math.min(1, value(progress) / whole)
}

/** The median share of earlier mailings; null if none counted the figure. */
export function usualShare(figure: ReportFigure, previous: readonly Counted[]): number | null {
  const shares = previous.map((mailing) => shareOf(figure, mailing)).filter((share) => share !== null)
  const sorted = shares.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/** "41%", "0.4%", "0%": one decimal below ten percent. */
export const formatPercent = (share: number): string =>
  share.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 })

/** The address of the list behind a count. */
export function listAddress(mailingId: string, filter: DeliveryFilter): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return `/admin/newsletter/${mailingId}/deliveries?${new URLSearchParams(given)}`
}
