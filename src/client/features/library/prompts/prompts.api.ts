import { queryOptions } from '@tanstack/react-query'
import { fieldQuery, invoke } from '#client/lib/calls.ts'
import { promptPacksCall, promptSamplesCall } from '#shared/contracts/library/library.ts'

export const promptPacksQuery = fieldQuery(['prompt-packs'], promptPacksCall, {}, 'categories')

/** The first prompts of each pack; null if they can't be loaded, since all prompts may be on this device. */
export const promptSamplesQuery = queryOptions({
  queryKey: ['prompt-samples'],
  queryFn: ({ signal }) => invoke(promptSamplesCall, {}, signal).catch(() => null),
  staleTime: Number.POSITIVE_INFINITY,
})
