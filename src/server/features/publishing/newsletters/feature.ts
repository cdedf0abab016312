import { asc, eq } from 'drizzle-orm'
import { newsletter, newsletterSubscription } from '#server/db/schema/index.ts'
import type { ExportParts, Feature } from '#server/feature.ts'
import { newslettersCalls } from './newsletters.calls.ts'

const exportedData: ExportParts = {
  newsletterSubscriptions: {
    tables: ['public.newsletter_subscription'],
    read: (tx, userId) =>
      tx
        .select({
          newsletter: newsletter.name,
          subscribed: newsletterSubscription.subscribed,
          changedAt: newsletterSubscription.changedAt,
        })
        .from(newsletterSubscription)
        .innerJoin(newsletter, eq(newsletter.id, newsletterSubscription.newsletterId))
        .where(eq(newsletterSubscription.userId, userId))
        .orderBy(asc(newsletter.id)),
  },
}

export const newslettersFeature: Feature = {
  calls: newslettersCalls,
  exportedData,
}
