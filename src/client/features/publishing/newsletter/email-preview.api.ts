import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { invoke } from '#client/lib/invoke.ts'
import {
  adminCheckIssueEmailCall,
  adminCheckMailingCall,
  adminPreviewIssueEmailCall,
  adminPreviewMailingCall,
  adminTestIssueEmailCall,
  adminTestMailingCall,
} from '#shared/contracts/publishing/mailing-preview.ts'

/** Source of the email: a mailing, or the saved draft of a drop. */
export type EmailSource = { of: 'mailing' | 'drop'; id: string; version: number }
export type ReaderChoice = z.input<typeof adminPreviewMailingCall.input>['as']

/** Cached per version, so a saved change loads a new preview. */
export const previewQuery = ({ of, id, version }: EmailSource, as: ReaderChoice) =>
  queryOptions({
    queryKey: ['admin-preview-email', of, id, version, as],
    queryFn: ({ signal }) =>
      of === 'drop'
        ? invoke(adminPreviewIssueEmailCall, { id, as }, signal)
        : invoke(adminPreviewMailingCall, { id, as }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const checksKey = (of: EmailSource['of'], id: string) => ['admin-check-email', of, id]

export const checksQuery = ({ of, id, version }: EmailSource) =>
  queryOptions({
    queryKey: [...checksKey(of, id), version],
    queryFn: ({ signal }) =>
      of === 'drop' ? invoke(adminCheckIssueEmailCall, { id }, signal) : invoke(adminCheckMailingCall, { id }, signal),
    staleTime: 60_000,
  })

export const useTestEmail = ({ of, id }: EmailSource) =>
  useMutation({
    mutationFn: (test: { to: string; as: ReaderChoice }) =>
      of === 'drop' ? invoke(adminTestIssueEmailCall, { id, ...test }) : invoke(adminTestMailingCall, { id, ...test }),
  })
