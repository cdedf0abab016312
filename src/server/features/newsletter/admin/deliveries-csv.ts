import type { DeliveryItem } from '#shared/contracts/deliveries.ts'
import { deliveryCauses } from '#shared/contracts/newsletter.ts'

/** Blanks and quotes before the sign don't stop a formula; spreadsheets set to an East Asian language run full-width signs. */
const formulaStart = /(^|[;\t\r\n])(?=(?:"|[^\S\t\r\n])*[=+\-@|%＝＋－＠｜％])/g

const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

export const csvHeader = csvRow(['Email', 'Status', 'Reason', 'Attempts', 'Response', 'Updated at'])

export const csvLine = ({ email, status, cause, attempts, response, changedAt }: DeliveryItem): string =>
  csvRow([email ?? '', status, cause ? deliveryCauses[cause] : '', String(attempts), response ?? '', changedAt ?? ''])

/**
 * A cell that a spreadsheet shows and never runs; a mail server's answer is written by strangers. An apostrophe stands
 * before what begins like a formula, and before each part of a text that does: where lists are divided by `;`, or at
 * tabs, quotes that stand inside a line hold nothing together, and such a part becomes a cell of its own.
 */
export function csvCell(text: string): string {
  return `"${text.replace(formulaStart, "$1'").replaceAll('"', '""')}"`
}
