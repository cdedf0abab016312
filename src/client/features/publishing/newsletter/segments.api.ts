import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import {
  adminDeleteSegmentCall,
  adminSaveSegmentCall,
  adminSegmentsCall,
} from '#shared/contracts/publishing/segments.ts'

export const segmentsQuery = queryOptions({
  queryKey: ['admin-segments'],
  queryFn: ({ signal }) => invoke(adminSegmentsCall, {}, signal),
  staleTime: 0,
})

function useRefreshSegments() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: segmentsQuery.queryKey })
}

type SegmentChange = { id: string | null; name: string; add: string[]; remove: string[] }

export function useSaveSegment() {
  const onSuccess = useRefreshSegments()
  return useMutation({ mutationFn: (change: SegmentChange) => invoke(adminSaveSegmentCall, change), onSuccess })
}

export function useDeleteSegment() {
  const onSuccess = useRefreshSegments()
  return useMutation({ mutationFn: (id: string) => invoke(adminDeleteSegmentCall, { id }), onSuccess })
}
