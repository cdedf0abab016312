import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { emailReplies, mailings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import type { Feature, PersonReaders } from '#server/feature.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'

const name = 'read-replies'

/** Reads the mailbox of replies every three minutes, if one is configured. */
function emailRepliesJobs(deps: Deps): FeatureJobs {
  if (!deps.config.repliesMailbox) return { jobs: [], schedules: [] }
  // The schedule has no payload. No retries, because the next run follows soon.
  const job = defineJob({
    name,
    payload: z.unknown(),
    retryLimit: 0,
    run: async () => (await import('./read-replies.ts')).readReplies(deps),
  })
  return { jobs: [job], schedules: [{ job: name, cron: '*/3 * * * *' }] }
}

const exportedData: PersonReaders = {
  repliesByEmail: (tx, userId) =>
    tx
      .select({
        id: emailReplies.id,
        repliesTo: mailings.subject,
        drop: emailReplies.issueId,
        text: emailReplies.text,
        attachments: emailReplies.attachments,
        at: emailReplies.at,
      })
      .from(emailReplies)
      .leftJoin(mailings, eq(mailings.id, emailReplies.mailingId))
      .where(eq(emailReplies.userId, userId))
      .orderBy(asc(emailReplies.at)),
}

export const emailRepliesFeature: Feature = { jobs: emailRepliesJobs, exportedData }
