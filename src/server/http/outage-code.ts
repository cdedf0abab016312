import { isDatabaseDown, isDatabaseTimeout } from '#server/db/sql-state.ts'

/** The code of a failure that a retry may get past, because the database is slow or down; otherwise null. */
export function outageCode(error: unknown): 'server_busy' | 'service_unavailable' | null {
  if (isDatabaseTimeout(error)) return 'server_busy'
  return isDatabaseDown(error) ? 'service_unavailable' : null
}
