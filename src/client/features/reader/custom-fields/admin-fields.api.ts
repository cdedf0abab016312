import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminCustomFieldsCall } from '#shared/contracts/reader/custom-fields.ts'

/** The publisher's fields, retired ones included. */
export const storedFieldsQuery = queryOptions({
  queryKey: ['admin-custom-fields'],
  queryFn: ({ signal }) => invoke(adminCustomFieldsCall, {}, signal),
})
