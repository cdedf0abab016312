import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { csvHeader, csvRow } from '#server/http/csv.ts'
import type { Caller } from '#server/http/principal.ts'
import type { StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import { securityEvents } from '#shared/domain/security-events.ts'
import { readStaffLog, type StaffLogQuery } from './read-staff-log.ts'

const pageSize = 1_000
const maxExportedEntries = 20_000

const header = ['Time', 'Action', 'By', 'Account', 'Object', 'Name', 'Before', 'After', 'Note', 'Device', 'Address']

/** The filtered log as CSV, newest first. Entries contain no secrets, so neither does the file. */
export async function exportStaffLog(
  deps: Pick<Deps, 'database' | 'secrets' | 'clock'>,
  who: Caller,
  filter: Omit<StaffLogQuery, 'cursor' | 'limit'>,
) {
  const { db } = deps.database
  const now = deps.clock()
  const rows: string[] = []
  let cursor: string | null = null
  do {
    const page: StaffLogPage = await readStaffLog({ db, secrets: deps.secrets }, { ...filter, cursor, limit: pageSize })
    rows.push(...page.items.map(rowOf))
    cursor = page.nextCursor
  } while (cursor !== null && rows.length < maxExportedEntries)
  const used = Object.entries(filter).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  const note = used.join(', ') || 'everything'
  await recordAdminEvent(db, who, { event: 'staff_log_exported', note, now })
  const fileName = `staff-log-${now.toISOString().slice(0, 10)}.csv`
  return { fileName, csv: csvHeader(header) + rows.join(''), entries: rows.length }
}

function rowOf({ at, event, by, email, object, changes, note, device, ip }: StaffLogPage['items'][number]): string {
  const values = (side: 'before' | 'after') =>
    changes.map((change) => `${change.field}: ${change[side] ?? '–'}`).join('; ')
  return csvRow([
    at,
    securityEvents[event],
    by ?? email,
    email,
    object?.kind ?? '',
    object?.name ?? '',
    values('before'),
    values('after'),
    note ?? '',
    device,
    ip,
  ])
}
