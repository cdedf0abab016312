import { pagedQuery } from '#client/lib/paged-query.ts'
import { adminEmailFeedbackCall, type EmailFeedback } from '#shared/contracts/publishing/deliverability.ts'

/** Newest first. */
export const feedbackQuery = (feedback: EmailFeedback, since: string) =>
  pagedQuery(['admin-email-feedback', feedback, since], adminEmailFeedbackCall, { feedback, since })
