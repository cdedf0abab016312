import { sql } from 'drizzle-orm'
import type { StaffEventKind } from '#shared/domain/staff-emails.ts'
import type { Tx } from './database.ts'

/** Notes something that staff may hear of by email, if someone wants to. Call it in the transaction of the change. */
export const recordStaffEvent = (tx: Tx, kind: StaffEventKind) =>
  tx.execute(sql`insert into staff_event (kind, count)
    select ${kind}::text, 1 where exists (select from staff_email_choice where kind = ${kind}::text)`)
