import { desc, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  accountEmails,
  deliveries,
  emailEvents,
  emailPreferences,
  mailings,
  segmentMembers,
  segments,
  suppressions,
} from '#server/db/schema/index.ts'
import { confirmedAddressOf, reportsAbout } from '#server/features/deliverability/on-account-deleted.ts'
import { one } from './one.ts'

/** What the export says about letters: those that were sent, what came back, what is wanted and what is stopped. */
export const heldMail = {
  mails: { tables: ['public.deliveries', 'public.email_events'], read: readMails },
  accountEmails: {
    tables: ['public.account_emails'],
    read: (tx: Tx, userId: string) =>
      tx
        .select({
          to: accountEmails.email,
          subject: accountEmails.subject,
          status: accountEmails.status,
          serverAnswered: accountEmails.error,
          at: accountEmails.requestedAt,
        })
        .from(accountEmails)
        .where(inArray(accountEmails.email, confirmedAddressOf(tx, userId)))
        .orderBy(desc(accountEmails.requestedAt)),
  },
  emailPreferences: {
    tables: ['public.email_preferences'],
    read: (tx: Tx, userId: string) =>
      one(
        tx
          .select({
            drops: emailPreferences.drops,
            news: emailPreferences.news,
            allowsTracking: emailPreferences.allowsTracking,
            updatedAt: emailPreferences.updatedAt,
          })
          .from(emailPreferences)
          .where(eq(emailPreferences.userId, userId)),
      ),
  },
  notWrittenTo: {
    tables: ['public.suppressions'],
    read: (tx: Tx, userId: string) =>
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
  },
  segments: {
    tables: ['public.segment_members'],
    read: (tx: Tx, userId: string) =>
      tx
        .select({ name: segments.name, addedAt: segmentMembers.addedAt })
        .from(segmentMembers)
        .innerJoin(segments, eq(segments.id, segmentMembers.segmentId))
        .where(eq(segmentMembers.userId, userId)),
  },
}

/** Which letters went to them, and what came back. */
async function readMails(tx: Tx, userId: string) {
  const sent = await tx
    .select({
      subject: mailings.subject,
      kind: mailings.kind,
      to: deliveries.email,
      name: deliveries.name,
      answersThatOrderedIt: deliveries.reader,
      status: deliveries.status,
      cause: deliveries.cause,
      tries: deliveries.attempts,
      serverAnswered: deliveries.response,
      at: deliveries.changedAt,
      bouncedAt: deliveries.bouncedAt,
      bounce: deliveries.bounceType,
      complainedAt: deliveries.complainedAt,
      openedAt: deliveries.openedAt,
      clickedAt: deliveries.clickedAt,
      aProgramOpenedAt: deliveries.botOpenedAt,
      aProgramClickedAt: deliveries.botClickedAt,
    })
    .from(deliveries)
    .innerJoin(mailings, eq(mailings.id, deliveries.mailingId))
    .where(eq(deliveries.userId, userId))
    .orderBy(desc(deliveries.id))
  const reports = await tx
    .select({
      type: emailEvents.type,
      detail: emailEvents.detail,
      byAProgram: emailEvents.isBot,
      at: emailEvents.occurredAt,
    })
    .from(emailEvents)
    .where(reportsAbout(tx, userId))
    .orderBy(desc(emailEvents.occurredAt))
  return {
    sent: sent.map((mail) => ({ ...mail, answersThatOrderedIt: JSON.parse(mail.answersThatOrderedIt) })),
    reports,
  }
}
