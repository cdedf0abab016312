import { infiniteQueryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminEmailFeedbackCall, type EmailFeedback } from '#shared/contracts/publishing/deliverability.ts'

/** Newest first. */
export const feedbackQuery = (feedback: EmailFeedback, since: string) =>
  infiniteQueryOptions({
    queryKey: ['admin-email-feedback', feedback, since],
    queryFn: ({ pageParam, signal }) => invoke(adminEmailFeedbackCall, { feedback, since, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })
