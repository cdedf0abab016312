import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { trustPagesCall } from '#shared/contracts/publishing/trust-pages.ts'

export const trustPagesQuery = queryOptions({
  queryKey: ['trust-pages'],
  queryFn: ({ signal }) => invoke(trustPagesCall, {}, signal),
})
