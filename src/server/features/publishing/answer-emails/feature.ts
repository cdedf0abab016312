import type { Deps, Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { sendReplies } from './send-replies.ts'

export const answerEmailsFeature: Feature = {
  // How often someone is told at most: replies in between come in one email.
  jobs: (deps: Deps) =>
    scheduledJobs({ 'reply-emails': { cron: '*/3 * * * *', retryLimit: 1, run: () => sendReplies(deps) } }),
}
