import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { mailingCounts } from '#server/db/schema/index.ts'
import type { MailingProgress } from '#shared/contracts/publishing/mailings.ts'
import { type DeliveryStatus, deliveryCauses, deliveryStatuses } from '#shared/contracts/publishing/newsletter.ts'

type CountRow = Pick<typeof mailingCounts.$inferSelect, 'name' | 'cause' | 'value'>

const causeSchema = z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses])

/** Reads the progress of mailings from their counts: a few rows per mailing, whatever the audience size. */
export async function readProgress(
  db: Db | Tx,
  mailingIds: readonly string[],
): Promise<(id: string) => MailingProgress> {
  if (mailingIds.length === 0) return () => progressOf([])
  const rows = await db
    .select()
    .from(mailingCounts)
    .where(inArray(mailingCounts.mailingId, [...mailingIds]))
  return (id) => progressOf(rows.filter(({ mailingId }) => mailingId === id))
}

/** The total is always computed from the statuses. */
export function progressOf(rows: readonly CountRow[]): MailingProgress {
  const sumOf = (name: string) => rows.reduce((sum, row) => (row.name === name ? sum + row.value : sum), 0)
  const statuses = Object.fromEntries(deliveryStatuses.map((status) => [status, sumOf(status)])) as Record<
    DeliveryStatus,
    number
  >
  return {
    total: Object.values(statuses).reduce((sum, value) => sum + value, 0),
    statuses,
    causes: rows
      .flatMap(({ name, cause, value }) => {
        const status = deliveryStatuses.find((known) => known === name)
        const known = causeSchema.safeParse(cause)
        return status && known.success && value > 0 ? [{ status, cause: known.data, count: value }] : []
      })
      .sort((a, b) => b.count - a.count || a.cause.localeCompare(b.cause)),
    delivered: sumOf('delivered'),
    unsubscribed: sumOf('unsubscribed'),
    hardBounces: sumOf('hard_bounces'),
    softBounces: sumOf('soft_bounces'),
    complaints: sumOf('complaints'),
    opened: sumOf('opened'),
    clicked: sumOf('clicked'),
    countable: sumOf('countable'),
    botOpened: sumOf('bot_opened'),
    botClicked: sumOf('bot_clicked'),
  }
}
