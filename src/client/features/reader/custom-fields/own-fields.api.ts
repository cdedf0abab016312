import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { customFieldsCall } from '#shared/contracts/reader/custom-fields.ts'

/** Questions that the publisher asks the member. */
export const ownFieldsQuery = (at: 'sign_up' | 'account') =>
  alwaysStaleQuery(['custom-fields', at], customFieldsCall, { at })
