import type { DeliveryItem } from '#shared/contracts/deliveries.ts'
import { deliveryCauses } from '#shared/contracts/newsletter.ts'

/** Spaces and quotes before the sign don't stop a formula, and East Asian spreadsheets also run full-width signs. */
const formulaStart = /(^|[;\t\r\n])(?=(?:"|[^\S\t\r\n])*[=+\-@|%＝＋－＠｜％])/g

const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

export const csvHeader = csvRow(['Email', 'Status', 'Reason', 'Attempts', 'Response', 'Updated at'])

export const csvLine = ({ email, status, cause, attempts, response, changedAt }: DeliveryItem): string =>
  csvRow([email ?? '', status, cause ? deliveryCauses[cause] : '', String(attempts), response ?? '', changedAt ?? ''])

/**
 * A quoted cell that a spreadsheet won't run as a formula; responses of mail servers are untrusted. Adds an apostrophe
 * before each part that starts like a formula, since some spreadsheets also split cells at semicolons and tabs.
 */
export function csvCell(text: string): string {
  return `"${text.replace(formulaStart, "$1'").replaceAll('"', '""')}"`
}
