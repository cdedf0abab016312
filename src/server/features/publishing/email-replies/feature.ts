import { asc, eq } from 'drizzle-orm'
import { emailReplies, mailings } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'

/** Reads the mailbox of replies every three minutes, if one is configured. */
const emailRepliesJobs = (deps: Deps) =>
  scheduledJobs(
    deps.config.repliesMailbox
      ? {
          'read-replies': {
            cron: '*/3 * * * *',
            run: async () => (await import('./read-replies.ts')).readReplies(deps),
          },
        }
      : {},
  )

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
