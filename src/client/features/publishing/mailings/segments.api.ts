import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { adminSegmentsCall } from '#shared/contracts/publishing/segments.ts'

export const segmentsQuery = alwaysStaleQuery(['admin-segments'], adminSegmentsCall, {})
