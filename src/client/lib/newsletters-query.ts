import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { adminNewslettersCall } from '#shared/contracts/publishing/newsletters.ts'

/** Newsletters that the publisher added, retired ones included. */
export const newslettersQuery = alwaysStaleQuery(['admin-newsletters'], adminNewslettersCall, {})
