import { useMutation } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import {
  adminDeleteSegmentCall,
  adminSaveSegmentCall,
  adminSegmentsCall,
} from '#shared/contracts/publishing/segments.ts'

export const segmentsQuery = alwaysStaleQuery(['admin-segments'], adminSegmentsCall, {})

const useRefreshSegments = () => useInvalidate(segmentsQuery.queryKey)

type SegmentChange = { id: string | null; name: string; add: string[]; remove: string[] }

export function useSaveSegment() {
  const onSuccess = useRefreshSegments()
  return useMutation({ mutationFn: (change: SegmentChange) => invoke(adminSaveSegmentCall, change), onSuccess })
}

export function useDeleteSegment() {
  const onSuccess = useRefreshSegments()
  return useMutation({ mutationFn: (id: string) => invoke(adminDeleteSegmentCall, { id }), onSuccess })
}
