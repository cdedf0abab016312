import type { DeliveriesPage } from '#shared/contracts/admin-newsletter.ts'
import { deliveryCauses } from '#shared/contracts/newsletter.ts'

type Delivery = DeliveriesPage['deliveries'][number]

export const csvHeader = 'Address,Status,Cause,Tries,Answer,Changed at\r\n'

export const csvLine = ({ email, status, cause, attempts, response, changed_at }: Delivery): string =>
  `${[email ?? '', status, cause ? deliveryCauses[cause] : '', String(attempts), response ?? '', changed_at ?? '']
    .map(csvCell)
    .join(',')}\r\n`

/**
 * A cell that a spreadsheet shows and never runs: what begins like a formula, or holds a tab or a line break before one,
 * gets an apostrophe in front. A mail server's answer is written by strangers.
 */
export function csvCell(text: string): string {
  const safe = /^[\s]*[=+\-@|%]/.test(text) ? `'${text}` : text
  return /[",\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
