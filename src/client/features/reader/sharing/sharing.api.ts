import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import {
  endShareLinkCall,
  type ShareableKind,
  shareItemCall,
  shareLinksCall,
} from '#shared/contracts/reader/sharing.ts'

export type ShareableItem = { kind: ShareableKind; id: string; title: string }

/** The reader's links that still work, and the name that they may show. */
export const shareLinksQuery = queryOptions({
  queryKey: ['share-links'],
  queryFn: ({ signal }) => invoke(shareLinksCall, {}, signal),
  staleTime: 0,
})

export function useShareItem({ kind, id }: ShareableItem) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (showsBusiness: boolean) => invoke(shareItemCall, { kind, id, showsBusiness }),
    onSuccess: () => client.invalidateQueries({ queryKey: shareLinksQuery.queryKey }),
  })
}

export function useEndShareLink() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (linkId: string) => invoke(endShareLinkCall, { linkId }),
    onSuccess: () => client.invalidateQueries({ queryKey: shareLinksQuery.queryKey }),
  })
}
