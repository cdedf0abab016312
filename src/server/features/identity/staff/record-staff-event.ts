import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import type { StaffEventKind } from '#shared/domain/staff-emails.ts'

/**
 * Call it in the transaction that makes it true. Does nothing while no one wants the email. New members are recorded by
 * a trigger.
 */
export async function recordStaffEvent(tx: Tx, kind: Exclude<StaffEventKind, 'member'>): Promise<void> {
  await tx.execute(sql`insert into staff_event (kind, count)
    select ${kind}, 1 where exists (select 1 from staff_email_choice where kind = ${kind})`)
}
