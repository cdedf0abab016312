import { useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminNewsletterFiguresCall,
  adminOrderNewslettersCall,
  adminRetireNewsletterCall,
  adminSaveNewsletterCall,
  type NewsletterToSave,
  type StoredNewsletter,
} from '#shared/contracts/publishing/newsletters.ts'

export const newsletterFiguresQuery = alwaysStaleQuery(['admin-newsletter-figures'], adminNewsletterFiguresCall, {})

function useStore() {
  const queryClient = useQueryClient()
  return (stored: { items: StoredNewsletter[] }) => {
    queryClient.setQueryData(newslettersQuery.queryKey, stored)
    void queryClient.invalidateQueries({ queryKey: newsletterFiguresQuery.queryKey })
  }
}

export const useSaveNewsletter = () =>
  useSensitiveMutation({
    mutationFn: (newsletter: NewsletterToSave) => invoke(adminSaveNewsletterCall, newsletter),
    onSuccess: useStore(),
  })

export const useRetireNewsletter = ({ id, version }: StoredNewsletter) =>
  useSensitiveMutation({
    mutationFn: (retired: boolean) => invoke(adminRetireNewsletterCall, { id, version, retired }),
    failure: 'We couldn’t change the newsletter',
    onSuccess: useStore(),
  })

export const useOrderNewsletters = () =>
  useSensitiveMutation({
    mutationFn: (ids: number[]) => invoke(adminOrderNewslettersCall, { ids }),
    failure: 'We couldn’t change the order',
    onSuccess: useStore(),
  })
