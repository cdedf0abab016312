import { type SQL, sql } from 'drizzle-orm'
import type { AuditPayload } from '#server/features/identity/auth/security/security-event.ts'
import type { TimelineKind } from '#shared/contracts/operations/member-page.ts'
import type { Change } from '#shared/domain/changed-fields.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import { type SecurityEvent, securityEvents } from '#shared/domain/security-events.ts'
import { asUuid, type Before, micros, type SourceRow, type TimelineSource, uuidPattern } from './timeline-source.ts'

/** The events of the partial index `audit_log_entries_access_idx`. */
const accessEvents = [
  'access_granted',
  'access_revoked',
  'team_joined',
  'team_left',
  'team_removed',
  'account_disabled',
  'account_enabled',
] as const satisfies SecurityEvent[]
const isAccessEvent = (event: string) => (accessEvents as readonly string[]).includes(event)
// Literals, because the planner matches a partial index by its text.
const ofAccess = sql.raw(`e.payload ->> 'action' in (${accessEvents.map((event) => `'${event}'`).join(', ')})`)
const ofStaff = sql`e.payload ->> 'by' is not null`

/** Told by other sources. */
const leftOut = ['signed_up', 'user_created', 'member_note_added', 'team_joined']
const moneyEvents = ['invoice_refunded', 'balance_credited']
const problems = [
  'sign_in_failed',
  'sign_in_locked',
  'second_factor_failed',
  'refresh_token_reused',
  'account_disabled',
]

type Row = SourceRow & { payload: AuditPayload; ip: string }

const conditionOf = (kind: TimelineKind | null): SQL => {
  if (kind === 'access') return ofAccess
  if (kind === 'staff') return ofStaff
  if (kind === 'security') return sql`not (${ofStaff}) and not (${ofAccess})`
  return sql`true`
}

const staffLog: TimelineSource<Row> = {
  kinds: ['security', 'access', 'staff'],
  id: uuidPattern,
  query: ({ member }, before: Before, kind) => ({
    select: sql`select ${micros(sql`e.created_at`)} as micros, e.id::text as id, e.payload, e.ip_address as ip
      from auth.audit_log_entries e`,
    where: sql`(e.payload ->> 'user_id') = ${member.userId} and e.created_at is not null and ${conditionOf(kind)}
      and ${before(sql`e.created_at`, sql`e.id`, asUuid)}`,
    order: sql`e.created_at desc nulls last, e.id desc nulls last`,
  }),
  toEntry: ({ payload, ip }, { seesMoney }) => {
    const { action, by, note, changes = [], user_agent } = payload
    const title = securityEvents[action]
    if (!title || leftOut.includes(action)) return null
    const hidesMoney = moneyEvents.includes(action) && !seesMoney
    const changed = hidesMoney ? [] : changes.map(describeChange)
    // Leaves out the device, which is the staff member's.
    const device = by ? [] : [[deviceName(user_agent), ip].filter(Boolean).join(', ')].filter(Boolean)
    return {
      kind: isAccessEvent(action) ? 'access' : by ? 'staff' : 'security',
      title,
      details: [...(note ? [note] : []), ...changed, ...device],
      by: by ?? null,
      isProblem: problems.includes(action),
    }
  },
}

const describeChange = ({ field, before, after }: Change) => {
  const name = field.replaceAll('_', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${before ?? 'none'} → ${after ?? 'none'}`
}

export const staffSources: readonly TimelineSource[] = [staffLog]
