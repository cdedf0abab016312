import { csvRow, csvHeader as headerOf } from '#server/http/csv.ts'
import type { DeliveryItem } from '#shared/contracts/publishing/deliveries.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'

export const csvHeader = headerOf(['Email', 'Status', 'Reason', 'Attempts', 'Response', 'Updated at'])

/** Responses of mail servers are untrusted. */
export const csvLine = ({ email, status, cause, attempts, response, changedAt }: DeliveryItem): string =>
  csvRow([email ?? '', status, cause ? deliveryCauses[cause] : '', String(attempts), response ?? '', changedAt ?? ''])
