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
import { confirmedAddressOf, reportsAbout } from '#server/mail/email-records.ts'
import { type ExportParts, firstOrNull } from './export-part.ts'

export const emailParts: ExportParts = {
  newsletters: { tables: ['public.deliveries', 'public.email_events'], read: readNewsletters },
  accountEmails: {
    tables: ['public.account_emails'],
    read: (tx, userId) =>
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
  },
  emailPreferences: {
    tables: ['public.email_preferences'],
    read: (tx, userId) =>
      firstOrNull(
        tx
          .select({
            drops: emailPreferences.drops,
            news: emailPreferences.news,
            followUps: emailPreferences.followUps,
            allowsTracking: emailPreferences.allowsTracking,
            updatedAt: emailPreferences.updatedAt,
            unsubscribedAt: emailPreferences.unsubscribedAt,
          })
          .from(emailPreferences)
          .where(eq(emailPreferences.userId, userId)),
      ),
  },
  suppressions: {
    tables: ['public.suppressions'],
    read: (tx, userId) =>
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
    read: (tx, userId) =>
      tx
        .select({ name: segments.name, addedAt: segmentMembers.addedAt })
        .from(segmentMembers)
        .innerJoin(segments, eq(segments.id, segmentMembers.segmentId))
        .where(eq(segmentMembers.userId, userId)),
  },
}

async function readNewsletters(tx: Tx, userId: string) {
  const sent = await tx
    .select({
      subject: mailings.subject,
      kind: mailings.kind,
      to: deliveries.email,
      name: deliveries.name,
      personalizedBy: deliveries.reader,
      status: deliveries.status,
      cause: deliveries.cause,
      attempts: deliveries.attempts,
      serverResponse: deliveries.response,
      at: deliveries.changedAt,
      bouncedAt: deliveries.bouncedAt,
      bounce: deliveries.bounceType,
      complainedAt: deliveries.complainedAt,
      openedAt: deliveries.openedAt,
      clickedAt: deliveries.clickedAt,
      botOpenedAt: deliveries.botOpenedAt,
      botClickedAt: deliveries.botClickedAt,
      unsubscribedAt: deliveries.unsubscribedAt,
    })
    .from(deliveries)
    .innerJoin(mailings, eq(mailings.id, deliveries.mailingId))
    .where(eq(deliveries.userId, userId))
    .orderBy(desc(deliveries.id))
  const events = await tx
    .select({
      type: emailEvents.type,
      detail: emailEvents.detail,
      isBot: emailEvents.isBot,
      at: emailEvents.occurredAt,
    })
    .from(emailEvents)
    .where(reportsAbout(tx, userId))
    .orderBy(desc(emailEvents.occurredAt))
  return {
    sent: sent.map((delivery) => ({ ...delivery, personalizedBy: JSON.parse(delivery.personalizedBy) })),
    events,
  }
}
