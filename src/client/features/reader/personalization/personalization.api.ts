import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import { type Personalization, personalizeContentCall } from '#shared/contracts/reader/personalization.ts'

export type PersonalizedContent = 'weekly-drops' | 'prompt-packs'

/** Content waits for its order to avoid a layout shift, but no longer than this. */
const timeoutMs = 4000

/** Loads in parallel with the content. A failure is only logged, because the page is complete in the default order, which null stands for. */
export const personalizationQuery = (contentType: PersonalizedContent) =>
  queryOptions({
    queryKey: ['personalization', contentType],
    queryFn: async ({ signal }): Promise<Personalization | null> => {
      try {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        return await invoke(personalizeContentCall, { contentType }, deadline)
      } catch (error) {
        // Offline, the query waits for the connection.
        if (signal.aborted || !navigator.onLine) throw error
        console.error('Personalization failed; showing the default order', error)
        return null
      }
    },
  })
