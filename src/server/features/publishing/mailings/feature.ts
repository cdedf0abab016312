import { desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { deliveries, emailEvents, mailings } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { reportsAbout } from '#server/mail/email-records.ts'
import { exportRoutes } from './admin/deliveries-csv.ts'
import { mailingCalls } from './admin/mailings.calls.ts'
import { createFollowUps } from './sending/create-follow-ups.ts'
import { createMonthlyDigest } from './sending/create-monthly-digest.ts'

const exportedData: PersonReaders = {
  newsletters: readNewsletters,
}

async function readNewsletters(tx: Tx, userId: string) {
  const sent = await tx
    .select({
      subject: mailings.subject,
      /** Text of a personal email. */
      text: sql<string | null>`case when ${mailings.kind} = 'personal' then ${mailings.content} ->> 'intro' end`,
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

/** Longer than any limit looks back: one warm-up day in any time zone. */
const throttleUsageTtlDays = 3

const mailingJobs = (deps: Pick<Deps, 'config' | 'database' | 'clock'>): FeatureJobs =>
  scheduledJobs({
    'newsletter-digest': { cron: '7 * * * *', retryLimit: 1, run: () => createMonthlyDigest(deps) },
    'newsletter-follow-ups': { cron: '37 * * * *', retryLimit: 1, run: () => createFollowUps(deps) },
    'newsletter-delete-old-usage': {
      formerNames: ['newsletter-forget-pace'],
      cron: '23 4 * * *',
      retryLimit: 1,
      run: () =>
        deps.database.db.execute(
          sql`delete from throttle_usage where minute < now() - make_interval(days => ${throttleUsageTtlDays})`,
        ),
    },
  })

export const mailingsFeature: Feature = {
  calls: mailingCalls,
  routes: (deps) => [exportRoutes(deps)],
  jobs: mailingJobs,
  exportedData,
}
