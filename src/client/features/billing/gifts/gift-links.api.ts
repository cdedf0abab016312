import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCreateGiftLinkCall,
  adminGiftLinksCall,
  adminGiftLinkUsesCall,
  adminRetireGiftLinkCall,
  type NewGiftLink,
} from '#shared/contracts/billing/gift-links.ts'

export const giftLinksQuery = alwaysStaleQuery(['admin-gift-links'], adminGiftLinksCall, {})

export const giftLinkUsesQuery = (id: string) =>
  alwaysStaleQuery(['admin-gift-link-uses', id], adminGiftLinkUsesCall, { id })

const useRefresh = () => useInvalidate(giftLinksQuery.queryKey)

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
