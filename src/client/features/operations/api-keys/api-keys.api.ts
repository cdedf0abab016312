import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminApiKeysCall,
  adminCreateApiKeyCall,
  adminRevokeApiKeyCall,
} from '#shared/contracts/operations/api-keys.ts'
import type { ApiScope } from '#shared/contracts/operations/public-api.ts'

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => invoke(adminApiKeysCall, {}, signal),
  staleTime: 0,
})

function useRefresh() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
}

export const useCreateApiKey = () =>
  useSensitiveMutation({
    mutationFn: (wanted: { name: string; scopes: ApiScope[]; expiresInDays: number | null }) =>
      invoke(adminCreateApiKeyCall, wanted),
    onSuccess: useRefresh(),
  })

export const useRevokeApiKey = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminRevokeApiKeyCall, { id }),
    done: 'Key revoked',
    failure: 'We couldn’t revoke the key',
    onSuccess: useRefresh(),
  })
