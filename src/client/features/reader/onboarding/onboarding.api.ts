import { useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { onboardingWelcomeCall } from '#shared/contracts/reader/onboarding.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'

/** Saves the answers and sends the welcome email. Invalidates personalization, which depends on the answers. */
export function useCompleteOnboarding() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Preferences & { email: string }) => invoke(onboardingWelcomeCall, input),
    onSuccess: ({ preferences }) => {
      queryClient.setQueryData(['preferences'], preferences)
      return queryClient.invalidateQueries({ queryKey: ['personalization'] })
    },
  })
}
