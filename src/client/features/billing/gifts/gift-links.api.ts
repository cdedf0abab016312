import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCreateGiftLinkCall,
  adminGiftLinksCall,
  adminGiftLinkUsesCall,
  adminRetireGiftLinkCall,
  type NewGiftLink,
} from '#shared/contracts/billing/gift-links.ts'

export const giftLinksQuery = queryOptions({
  queryKey: ['admin-gift-links'],
  queryFn: ({ signal }) => invoke(adminGiftLinksCall, {}, signal),
  staleTime: 0,
})

export const giftLinkUsesQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-gift-link-uses', id],
    queryFn: ({ signal }) => invoke(adminGiftLinkUsesCall, { id }, signal),
    staleTime: 0,
  })

function useRefresh() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: giftLinksQuery.queryKey })
}

export const useCreateGiftLink = () =>
  useSensitiveMutation({
    mutationFn: (link: NewGiftLink) => invoke(adminCreateGiftLinkCall, link),
    onSuccess: useRefresh(),
  })

export const useRetireGiftLink = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminRetireGiftLinkCall, { id }),
    done: 'Link retired',
    failure: 'We couldn’t retire the link',
    onSuccess: useRefresh(),
  })
