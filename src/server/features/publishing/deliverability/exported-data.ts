import { desc, inArray } from 'drizzle-orm'
import { accountEmails, suppressions } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'
import { confirmedAddressOf } from '#server/mail/email-records.ts'

export const exportedData: PersonReaders = {
  accountEmails: (tx, userId) =>
    tx
      .select({
        to: accountEmails.email,
        subject: accountEmails.subject,
        status: accountEmails.status,
        serverResponse: accountEmails.error,
        requestedAt: accountEmails.requestedAt,
      })
      .from(accountEmails)
      .where(inArray(accountEmails.email, confirmedAddressOf(tx, userId)))
      .orderBy(desc(accountEmails.requestedAt)),
  suppressions: (tx, userId) =>
    tx
      .select({
        email: suppressions.email,
        stream: suppressions.stream,
        reason: suppressions.reason,
        detail: suppressions.detail,
        at: suppressions.createdAt,
        liftedAt: suppressions.liftedAt,
        liftReason: suppressions.liftReason,
      })
      .from(suppressions)
      .where(inArray(suppressions.email, confirmedAddressOf(tx, userId)))
      .orderBy(desc(suppressions.createdAt)),
}
