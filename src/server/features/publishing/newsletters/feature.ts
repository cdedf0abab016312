import { asc, eq } from 'drizzle-orm'
import { newsletter, newsletterSubscription } from '#server/db/schema/index.ts'
import type { Feature, PersonReaders } from '#server/feature.ts'
import { newslettersCalls } from './newsletters.calls.ts'

const exportedData: PersonReaders = {
  newsletterSubscriptions: (tx, userId) =>
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
}

export const newslettersFeature: Feature = {
  calls: newslettersCalls,
  exportedData,
}
