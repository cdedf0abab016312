import { useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { CallError, invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminTrustPagesCall,
  type TrustSettings,
  type VersionedTrustSettings,
} from '#shared/contracts/publishing/trust-settings.ts'
import { trustPagesQuery } from './trust-pages.api.ts'

export const trustSettingsQuery = alwaysStaleQuery(['admin-trust-pages'], adminTrustPagesCall, {})

export function useSaveTrustSettings() {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (save: { save: TrustSettings; version: number }) => invoke(adminTrustPagesCall, save),
    onSuccess: (settings) => {
      queryClient.setQueryData(trustSettingsQuery.queryKey, settings)
      void queryClient.invalidateQueries({ queryKey: trustPagesQuery.queryKey })
    },
    done: 'Trust pages saved',
  })
}

/** The newer settings, if someone else saved them meanwhile. */
export function conflictOf(error: Error | null): VersionedTrustSettings | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: VersionedTrustSettings }).current ?? null
}
