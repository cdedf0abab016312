import { Link } from 'react-router'
import { Moment } from '#client/ui/moment.tsx'
import type { AuditLogPage } from '#shared/contracts/admin-security.ts'
import { securityEvents } from '#shared/domain/security-events.ts'

type LogEvent = AuditLogPage['events'][number]

/** Where the note is a word of the protocol, what people say. */
const notesInWords: Readonly<Record<string, string>> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Text message',
  local: 'On this device',
  others: 'On every other device',
  global: 'On every device',
}

/** One line of the log: when, what, to whom, from where. */
export function LogList({ events, busy }: { events: readonly LogEvent[]; busy: boolean }) {
  return (
    <ol aria-label="Security events" aria-busy={busy} className="border-t-2 border-ink">
      {events.map((event) => (
        <LogRow key={event.id} event={event} />
      ))}
    </ol>
  )
}

function LogRow({ event }: { event: LogEvent }) {
  const origin = [event.device, event.ip].filter(Boolean).join(', ')
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-b border-line py-2.5 text-sm leading-6 md:grid-cols-[11rem_minmax(0,5fr)_minmax(0,5fr)_minmax(0,4fr)]">
      <p className="text-muted tabular-nums max-md:col-start-2 max-md:row-start-1">
        <Moment at={event.at} />
      </p>
      <p className="max-md:col-start-1 max-md:row-start-1">
        <span className="font-semibold">{securityEvents[event.event]}</span>
        {event.note && (
          <span className="block text-muted [overflow-wrap:anywhere]">{notesInWords[event.note] ?? event.note}</span>
        )}
      </p>
      <p className="[overflow-wrap:anywhere] max-md:col-span-2">
        {event.user_id ? (
          <Link to={`/admin/users/${event.user_id}`} className="text-link">
            {event.email || 'No address'}
          </Link>
        ) : (
          event.email || 'No account'
        )}
        {event.by && <span className="block text-muted">by {event.by}</span>}
      </p>
      <p className="text-muted [overflow-wrap:anywhere] max-md:col-span-2 md:text-right">{origin}</p>
    </li>
  )
}
