import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import { adminCheckIssueEmailCall, adminCheckMailingCall } from '#shared/contracts/publishing/mailing-preview.ts'

/** Source of the email: a mailing, the saved draft of a drop, or a step of a saved series. */
export type EmailSource =
  | { of: 'mailing' | 'drop'; id: string; version: number }
  | { of: 'series'; id: string; stepId: string; version: number }
export type CheckedSource = Extract<EmailSource, { of: 'mailing' | 'drop' }>
export const checksKey = (of: CheckedSource['of'], id: string) => ['admin-check-email', of, id]

export const checksQuery = ({ of, id, version }: CheckedSource) =>
  queryOptions({
    queryKey: [...checksKey(of, id), version],
    queryFn: ({ signal }) =>
      of === 'drop' ? invoke(adminCheckIssueEmailCall, { id }, signal) : invoke(adminCheckMailingCall, { id }, signal),
    staleTime: 60_000,
  })
