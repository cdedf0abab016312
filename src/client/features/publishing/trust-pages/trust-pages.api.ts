import { callQuery } from '#client/lib/calls.ts'
import { trustPagesCall } from '#shared/contracts/publishing/trust-pages.ts'

export const trustPagesQuery = callQuery(['trust-pages'], trustPagesCall, {})
