import { Link } from 'react-router'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { StaffLogPage } from '#shared/contracts/identity/admin-security.ts'
import { describeLocalAddress } from '#shared/domain/describe-local-address.ts'
import { securityEvents } from '#shared/domain/security-events.ts'
import { auditObjects, changeText } from './staff-event-text.ts'

type LogEvent = StaffLogPage['items'][number]

/** Texts for notes that are protocol values. */
const noteTexts: Readonly<Record<string, string>> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Text message',
  local: 'On this device',
  others: 'On every other device',
  global: 'On every device',
}

/** Events of the staff log: when, what, about whom or what, from where. */
export function StaffLogList({ events, busy }: { events: readonly LogEvent[]; busy: boolean }) {
  return (
    <ol aria-label="Security events" aria-busy={busy} className="border-t-2 border-ink">
      {events.map((event) => (
        <LogRow key={event.id} event={event} />
      ))}
    </ol>
  )
}

function LogRow({ event }: { event: LogEvent }) {
  const origin = [event.device, describeLocalAddress(event.ip) ?? event.ip].filter(Boolean).join(', ')
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-b border-line py-2.5 text-sm leading-6 md:grid-cols-[11rem_minmax(0,5fr)_minmax(0,5fr)_minmax(0,4fr)]">
      <p className="text-muted tabular-nums max-md:col-start-2 max-md:row-start-1">
        <Timestamp at={event.at} />
      </p>
      <div className="max-md:col-start-1 max-md:row-start-1">
        <p className="font-semibold">{securityEvents[event.event]}</p>
        {event.note && <p className="text-muted [overflow-wrap:anywhere]">{noteTexts[event.note] ?? event.note}</p>}
        {event.changes.map((change) => (
          <p key={change.field} className="text-muted [overflow-wrap:anywhere]">
            {changeText(change)}
          </p>
        ))}
      </div>
      <div className="[overflow-wrap:anywhere] max-md:col-span-2">
        {event.object && <ObjectLine {...event.object} />}
        {(!event.object || event.email) && <AccountLine email={event.email} userId={event.userId} by={event.by} />}
        {event.by && <p className="text-muted">by {event.by}</p>}
      </div>
      <p className="text-muted [overflow-wrap:anywhere] max-md:col-span-2 md:text-right">{origin}</p>
    </li>
  )
}

/** Link to the changed object, which may have been deleted since. */
function ObjectLine({ kind, id, name }: NonNullable<LogEvent['object']>) {
  const { one, href } = auditObjects[kind]
  const text = `${one} “${name}”`
  return (
    <p>
      {href ? (
        <Link to={href(id)} className="text-link">
          {text}
        </Link>
      ) : (
        text
      )}
    </p>
  )
}

function AccountLine({ email, userId, by }: { email: string; userId: string | null; by: string | null }) {
  // Admin actions that aren't about an account, such as changing settings.
  if (!userId && !email && by) return null
  return (
    <p>
      {userId ? (
        <Link to={`/admin/members/${userId}`} className="text-link">
          {email || 'No address'}
        </Link>
      ) : (
        email || 'No account'
      )}
    </p>
  )
}
