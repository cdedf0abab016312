import { asc, eq } from 'drizzle-orm'
import { newsletter, newsletterSubscription } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/publishing/newsletters.ts'
import { listStoredNewsletters, readNewsletterFigures } from './read-newsletters.ts'
import { orderNewsletters, retireNewsletter, saveNewsletter } from './save-newsletter.ts'

function newslettersCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(contracts.adminNewslettersCall, () => listStoredNewsletters(db)),
    implement(contracts.adminNewsletterFiguresCall, () => readNewsletterFigures(deps)),
    implement(contracts.adminSaveNewsletterCall, async (terms, who) => {
      await saveNewsletter(deps, who, terms)
      return listStoredNewsletters(db)
    }),
    implement(contracts.adminRetireNewsletterCall, async (change, who) => {
      await retireNewsletter(deps, who, change)
      return listStoredNewsletters(db)
    }),
    implement(contracts.adminOrderNewslettersCall, async ({ ids }, who) => {
      await orderNewsletters(deps, who, ids)
      return listStoredNewsletters(db)
    }),
  ]
}

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
