import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminApiKeysCall,
  adminCreateApiKeyCall,
  adminRevokeApiKeyCall,
} from '#shared/contracts/operations/api-keys.ts'
import type { ApiScope } from '#shared/contracts/operations/public-api.ts'

export const apiKeysQuery = alwaysStaleQuery(['api-keys'], adminApiKeysCall, {})

const useRefresh = () => useInvalidate(apiKeysQuery.queryKey)

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
