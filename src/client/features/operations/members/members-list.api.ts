import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminBulkActionsCall,
  adminExportMembersCall,
  adminPreviewBulkActionCall,
  adminStartBulkActionCall,
  adminUndoBulkActionCall,
  type BulkAction,
  type BulkTarget,
} from '#shared/contracts/operations/bulk-actions.ts'
import { adminCountMembersCall, adminMembersCall, type MemberOrder } from '#shared/contracts/operations/members.ts'
import { adminDeleteMemberViewCall, adminSaveMemberViewCall } from '#shared/contracts/publishing/member-views.ts'
import type { MemberFilter } from '#shared/domain/member-filter.ts'

const pageSize = 50
const pollMs = 1_500

export const membersQuery = (filter: MemberFilter, order: MemberOrder) =>
  infiniteQueryOptions({
    queryKey: ['admin-members', filter, order],
    queryFn: ({ pageParam, signal }) =>
      invoke(adminMembersCall, { filter, order, cursor: pageParam, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const memberCountQuery = (filter: MemberFilter) =>
  queryOptions({
    queryKey: ['admin-members', 'count', filter],
    queryFn: ({ signal }) => invoke(adminCountMembersCall, { filter }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

const isOpen = ({ status }: { status: string }) => status === 'running' || status === 'undoing'

/** Polls while one of them runs. */
export const bulkActionsQuery = queryOptions({
  queryKey: ['admin-bulk-actions'],
  queryFn: ({ signal }) => invoke(adminBulkActionsCall, {}, signal),
  refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? pollMs : false),
  staleTime: 0,
})

function useRefresh(...keys: string[]) {
  const queryClient = useQueryClient()
  return () => Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}

export function useSaveView() {
  const onSuccess = useRefresh('admin-member-views')
  return useMutation({
    mutationFn: (view: { name: string; filter: MemberFilter }) => invoke(adminSaveMemberViewCall, view),
    onSuccess,
  })
}

export function useDeleteView() {
  const onSuccess = useRefresh('admin-member-views')
  return useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminDeleteMemberViewCall, { id }),
    onSuccess,
    failure: 'We couldn’t delete the view',
  })
}

type Wanted = { action: BulkAction; target: BulkTarget }

export const usePreviewBulkAction = () =>
  useMutation({ mutationFn: (wanted: Wanted) => invoke(adminPreviewBulkActionCall, wanted) })

export function useStartBulkAction() {
  const onSuccess = useRefresh('admin-bulk-actions')
  return useSensitiveMutation({
    mutationFn: (wanted: Wanted & { id: string }) => invoke(adminStartBulkActionCall, wanted),
    onSuccess,
  })
}

export function useUndoBulkAction() {
  const onSuccess = useRefresh('admin-bulk-actions')
  return useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminUndoBulkActionCall, { id }),
    onSuccess,
    failure: 'We couldn’t undo this',
  })
}

/** Opens the file; the server sends it as a download. */
export const useExportMembers = () =>
  useSensitiveMutation({
    mutationFn: (target: BulkTarget) => invoke(adminExportMembersCall, { target }),
    onSuccess: ({ url }) => window.location.assign(url),
    failure: 'We couldn’t export the members',
  })
