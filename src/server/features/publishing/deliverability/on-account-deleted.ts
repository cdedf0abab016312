import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  accountEmails,
  auditLogEntries,
  deliveries,
  emailEvents,
  suppressions,
  users,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { ofEvent, ofUser } from '#server/features/identity/auth/security/security-event.ts'
import { reportsAbout } from '#server/mail/email-records.ts'
import { removeRestoredSuppressions, retainSuppressions } from '#server/mail/retained-suppressions.ts'
import { unknownReader } from '#shared/domain/reader.ts'

/** The subject of a follow-up says what the reader tried. */
const withoutSections = sql`case when ${deliveries.reader} like '%"sections"%'
  then ${JSON.stringify(unknownReader)} else ${deliveries.reader} end`

/** The confirmed address, and earlier ones the account received email at, unless another account uses them now. */
async function addressesToErase(tx: Tx, userId: string, present: string | null): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ email: deliveries.email })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.userId, userId),
        sql`not exists (select from auth.users u where u.email = ${deliveries.email})`,
      ),
    )
  return [...new Set([present, ...rows.map(({ email }) => email)])].filter((email) => email !== null)
}

/** Earlier addresses by the account's own log, unless another account uses them now. They may never have been confirmed. */
async function formerAddresses(tx: Tx, userId: string): Promise<string[]> {
  const address = sql<string>`${auditLogEntries.payload} ->> 'email'`
  const rows = await tx
    .selectDistinct({ email: address })
    .from(auditLogEntries)
    .where(
      and(
        ofUser(userId),
        ofEvent('email_changed'),
        sql`not exists (select from auth.users u where u.email = ${address})`,
      ),
    )
  return rows.map(({ email }) => email)
}

/**
 * Removes addresses, names, server responses and suppressions of a deleted account from its email records; counts stay.
 * Suppressions by the operator and after a spam complaint stay as a hash. Records of an address that was never
 * confirmed stay, because it may belong to another person.
 */
export async function eraseEmailRecords(tx: Tx, userId: string, deps: Pick<Deps, 'secrets'>): Promise<void> {
  const [user] = await tx
    .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.id, userId))
  const confirmed = user?.confirmedAt ? user.email : null
  if (user?.email && !confirmed) await removeRestoredSuppressions(tx, deps, user.email)
  const emails = await addressesToErase(tx, userId, confirmed)
  for (const email of emails) await retainSuppressions(tx, deps, email)
  await tx.delete(suppressions).where(inArray(suppressions.email, emails))
  // Account emails were about this account or an invitation, so an unconfirmed address loses them too.
  const recipients = [...emails, ...(user?.email ? [user.email] : []), ...(await formerAddresses(tx, userId))]
  await tx.delete(accountEmails).where(inArray(accountEmails.email, recipients))
  await tx
    .update(emailEvents)
    .set({ email: null, detail: null })
    .where(or(inArray(emailEvents.email, emails), reportsAbout(tx, userId)))
  await erasePersonalEmails(tx, userId)
  await tx
    .update(deliveries)
    .set({ email: null, name: null, domain: '', response: null, reader: withoutSections })
    .where(eq(deliveries.userId, userId))
}

/** Deletes the text of emails to this member alone. One that is paused is never sent. */
const erasePersonalEmails = (tx: Tx, userId: string) =>
  tx.execute(sql`update mailings set subject = '', preheader = '',
      content = content || '{"subject": "", "preheader": "", "title": "", "intro": ""}'::jsonb,
      status = case when status = 'paused' then 'stopped' else status end
    where kind = 'personal' and id in (select mailing_id from deliveries where user_id = ${userId}::uuid)`)
