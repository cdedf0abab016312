import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import type { Personalization } from '#shared/contracts/personalization.ts'
import { personalizeContentCall } from '#shared/contracts/personalization.ts'

export type PersonalizedContent = 'weekly-drops' | 'prompt-packs'

/** Content waits for its order so that nothing moves under the reader's eyes, but not for longer than this. */
const patienceMs = 4000

/**
 * Asked for in parallel with the content. A failure is only logged (spec §8) and answered with null: the plain order.
 */
export const personalizationQuery = (contentType: PersonalizedContent) =>
  queryOptions({
    queryKey: ['personalization', contentType],
    queryFn: async ({ signal }): Promise<Personalization | null> => {
      try {
        const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
        return await invoke(personalizeContentCall, { contentType }, patience)
      } catch (error) {
        if (signal.aborted) throw error
        console.error('Personalization failed; the plain order is shown', error)
        return null
      }
    },
  })
