import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { invoke } from '#client/lib/invoke.ts'
import { adminPreviewSeriesEmailCall, adminTestSeriesEmailCall } from '#shared/contracts/operations/series.ts'
import {
  adminCheckIssueEmailCall,
  adminCheckMailingCall,
  adminPreviewIssueEmailCall,
  adminPreviewMailingCall,
  adminTestIssueEmailCall,
  adminTestMailingCall,
} from '#shared/contracts/publishing/mailing-preview.ts'

/** Source of the email: a mailing, the saved draft of a drop, or a step of a saved series. */
export type EmailSource =
  | { of: 'mailing' | 'drop'; id: string; version: number }
  | { of: 'series'; id: string; stepId: string; version: number }
export type CheckedSource = Extract<EmailSource, { of: 'mailing' | 'drop' }>
export type ReaderChoice = z.input<typeof adminPreviewMailingCall.input>['as']

/** Cached per version, so a saved change loads a new preview. */
export const previewQuery = (email: EmailSource, as: ReaderChoice) =>
  queryOptions({
    queryKey: ['admin-preview-email', email, as],
    queryFn: ({ signal }) => {
      const { id } = email
      if (email.of === 'series') return invoke(adminPreviewSeriesEmailCall, { id, stepId: email.stepId, as }, signal)
      return email.of === 'drop'
        ? invoke(adminPreviewIssueEmailCall, { id, as }, signal)
        : invoke(adminPreviewMailingCall, { id, as }, signal)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const checksKey = (of: CheckedSource['of'], id: string) => ['admin-check-email', of, id]

export const checksQuery = ({ of, id, version }: CheckedSource) =>
  queryOptions({
    queryKey: [...checksKey(of, id), version],
    queryFn: ({ signal }) =>
      of === 'drop' ? invoke(adminCheckIssueEmailCall, { id }, signal) : invoke(adminCheckMailingCall, { id }, signal),
    staleTime: 60_000,
  })

export const useTestEmail = (email: EmailSource) =>
  useMutation({
    mutationFn: (test: { to: string; as: ReaderChoice }) => {
      const { id } = email
      if (email.of === 'series') return invoke(adminTestSeriesEmailCall, { id, stepId: email.stepId, ...test })
      return email.of === 'drop'
        ? invoke(adminTestIssueEmailCall, { id, ...test })
        : invoke(adminTestMailingCall, { id, ...test })
    },
  })
