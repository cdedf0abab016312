import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { adminSegmentsCall } from '#shared/contracts/publishing/segments.ts'

export const segmentsQuery = alwaysStaleQuery(['admin-segments'], adminSegmentsCall, {})
