import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { z } from 'zod'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { saveJson } from '#client/lib/save-file.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminEntitlementCall } from '#shared/contracts/billing/admin-billing.ts'
import {
  adminChangeMemberPlanCall,
  adminCreditMemberCall,
  adminMemberBillingCall,
  adminPreviewMemberSwitchCall,
  adminRefundInvoiceCall,
  type MemberPlanChange,
} from '#shared/contracts/billing/member-billing.ts'
import {
  adminAddMemberCall,
  adminChangeMemberCall,
  adminDeleteMemberCall,
  adminExportMemberCall,
} from '#shared/contracts/operations/member-account.ts'
import {
  adminMemberNewslettersCall,
  adminSetMemberNewsletterCall,
} from '#shared/contracts/operations/member-newsletters.ts'
import {
  adminAddMemberNoteCall,
  adminDeleteMemberNoteCall,
  adminEditMemberNoteCall,
  adminMemberNotesCall,
} from '#shared/contracts/operations/member-notes.ts'
import {
  adminEndMemberSessionsCall,
  adminMemberCall,
  adminMemberSessionsCall,
  adminMemberTimelineCall,
  type TimelineKind,
} from '#shared/contracts/operations/member-page.ts'
import { adminMemberTagsCall, adminSetMemberTagsCall } from '#shared/contracts/operations/member-tags.ts'
import {
  adminPersonalEmailsCall,
  adminPreviewPersonalEmailCall,
  adminSendPersonalEmailCall,
} from '#shared/contracts/operations/personal-email.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

export const memberQuery = (userId: string) => alwaysStaleQuery(['admin-member', userId], adminMemberCall, { userId })

export const timelineQuery = (userId: string, kind: TimelineKind | null) =>
  infiniteQueryOptions({
    queryKey: ['admin-member-timeline', userId, kind],
    queryFn: ({ pageParam, signal }) =>
      invoke(adminMemberTimelineCall, { userId, kind, cursor: pageParam, limit: 25 }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const notesQuery = (userId: string) =>
  alwaysStaleQuery(['admin-member-notes', userId], adminMemberNotesCall, { userId })

export const memberBillingQuery = (userId: string) =>
  alwaysStaleQuery(['admin-member-billing', userId], adminMemberBillingCall, { userId })

export const memberSessionsQuery = (userId: string) =>
  alwaysStaleQuery(['admin-member-sessions', userId], adminMemberSessionsCall, { userId })

export const personalEmailsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin-personal-emails', userId],
    queryFn: ({ signal }) => invoke(adminPersonalEmailsCall, { userId }, signal),
    staleTime: 0,
    // The email counts as pending until the mail server has answered.
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending' || status === 'sending') ? 3_000 : false,
  })

export const usePreviewPersonalEmail = (userId: string) =>
  useMutation({
    mutationFn: (email: { subject: string; text: string }) =>
      invoke(adminPreviewPersonalEmailCall, { userId, ...email }),
  })

export const useSendPersonalEmail = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (email: { id: string; subject: string; text: string }) =>
      invoke(adminSendPersonalEmailCall, { userId, ...email }),
    onSuccess: useRefresh(userId, 'admin-personal-emails'),
    done: 'The email is on its way',
  })

/** Name and address are on the page, in the list and in the log. */
function useRefreshMember(userId: string) {
  const queryClient = useQueryClient()
  const keys = [['admin-member', userId], ['admin-user', userId], ['admin-user-support', userId], ['admin-members']]
  const others = [['admin-member-timeline', userId], ['admin-audit-log']]
  return () => Promise.all([...keys, ...others].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

type MemberChange = Omit<z.input<typeof adminChangeMemberCall.input>, 'userId'>

export const useChangeMember = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (change: MemberChange) => invoke(adminChangeMemberCall, { userId, ...change }),
    onSuccess: useRefreshMember(userId),
  })

export const useAddMember = () =>
  useSensitiveMutation({
    mutationFn: (member: z.input<typeof adminAddMemberCall.input>) => invoke(adminAddMemberCall, member),
    onSuccess: useInvalidate(['admin-members']),
    done: 'Member added',
  })

export const useDeleteMember = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (typedEmail: string) => invoke(adminDeleteMemberCall, { userId, typedEmail }),
    onSuccess: useInvalidate(['admin-members']),
    done: 'Member deleted',
  })

export const useExportMember = (userId: string) =>
  useSensitiveMutation({
    mutationFn: async () => saveJson(await invoke(adminExportMemberCall, { userId })),
    onSuccess: useRefreshMember(userId),
    failure: 'We couldn’t create the file',
    done: 'The file is ready',
  })

/** Every change adds to the timeline and to the staff log. */
const useRefresh = (userId: string, key: string) =>
  useInvalidate([key, userId], ['admin-member-timeline', userId], ['admin-audit-log'])

export const useAddNote = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (note: { id: string; text: string }) => invoke(adminAddMemberNoteCall, { userId, ...note }),
    onSuccess: useRefresh(userId, 'admin-member-notes'),
  })

export const useEditNote = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (edit: { id: string; text: string; updatedAt: string }) => invoke(adminEditMemberNoteCall, edit),
    onSuccess: useRefresh(userId, 'admin-member-notes'),
  })

export const useDeleteNote = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminDeleteMemberNoteCall, { id }),
    onSuccess: useRefresh(userId, 'admin-member-notes'),
    done: 'Note deleted',
    failure: 'The note wasn’t deleted',
  })

export const memberTagsQuery = (userId: string) =>
  alwaysStaleQuery(['admin-member-tags', userId], adminMemberTagsCall, { userId })

export const useSetTags = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (tags: string[]) => invoke(adminSetMemberTagsCall, { userId, tags }),
    onSuccess: useRefresh(userId, 'admin-member-tags'),
    failure: 'The tags weren’t changed',
  })

type Refund = { requestId: string; invoiceId: string; amountCents: number; refundedCents: number; reason: string }

export const useRefundInvoice = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (refund: Refund) => invoke(adminRefundInvoiceCall, { userId, ...refund }),
    onSuccess: useRefresh(userId, 'admin-member-billing'),
    done: 'Refunded',
  })

type Credit = { requestId: string; amountCents: number; lastTransactionId: string | null; reason: string }

export const useCreditMember = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (credit: Credit) => invoke(adminCreditMemberCall, { userId, ...credit }),
    onSuccess: useRefresh(userId, 'admin-member-billing'),
    done: 'Credit added',
  })

export const useEndSessions = (userId: string) =>
  useSensitiveMutation({
    mutationFn: (sessionId: string | null) => invoke(adminEndMemberSessionsCall, { userId, sessionId }),
    onSuccess: useRefresh(userId, 'admin-member-sessions'),
    done: 'Signed out',
    failure: 'They weren’t signed out',
  })

/** The stored subscription, as the section about access reads it. */
export const memberSubscriptionQuery = (userId: string) =>
  alwaysStaleQuery(['admin-entitlement', userId], adminEntitlementCall, { userId })

/** Never cached, since the amount drops every hour, and the one on screen must stay. */
export const memberSwitchQuery = (userId: string, plan: PlanKey) =>
  queryOptions({
    queryKey: ['admin-member-switch', userId, plan],
    queryFn: ({ signal }) => invoke(adminPreviewMemberSwitchCall, { userId, plan }, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })

export function useChangePlan(userId: string) {
  const queryClient = useQueryClient()
  const refresh = useRefreshMember(userId)
  return useSensitiveMutation({
    mutationFn: (wanted: { requestId: string; change: MemberPlanChange }) =>
      invoke(adminChangeMemberPlanCall, { userId, ...wanted }),
    onSuccess: () =>
      Promise.all([
        refresh(),
        queryClient.invalidateQueries({ queryKey: ['admin-entitlement', userId] }),
        queryClient.invalidateQueries({ queryKey: ['admin-member-billing', userId] }),
      ]),
  })
}

export const memberNewslettersQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin-member-newsletters', userId],
    queryFn: ({ signal }) => invoke(adminMemberNewslettersCall, { userId }, signal),
    staleTime: 0,
  })

type NewsletterChange = { stream: string; subscribed: boolean; memberAsked: boolean }

export function useSetNewsletter(userId: string) {
  const queryClient = useQueryClient()
  const refresh = useRefreshMember(userId)
  return useSensitiveMutation({
    mutationFn: (change: NewsletterChange) => invoke(adminSetMemberNewsletterCall, { userId, ...change }),
    onSuccess: (newsletters) => {
      queryClient.setQueryData(memberNewslettersQuery(userId).queryKey, newsletters)
      return refresh()
    },
    done: 'Newsletter changed',
    failure: 'The newsletter wasn’t changed',
  })
}
