import { Section } from '#client/ui/section.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { describeLocalAddress } from '#shared/domain/describe-local-address.ts'
import { type SecurityEvent, securityEvents } from '#shared/domain/security-events.ts'

type Event = { id: string; at: string; event: SecurityEvent; device: string; ip: string }

export function RecentActivitySection({ events }: { events: readonly Event[] }) {
  return (
    <Section
      title="Recent activity"
      lede="Don’t recognize something? Change your password, then check the devices above."
    >
      {events.length === 0 ? (
        <p className="text-muted">No activity yet.</p>
      ) : (
        <ol aria-label="Recent activity" className="border-t border-line">
          {events.map((event) => (
            <li
              key={event.id}
              className="grid gap-x-6 border-b border-line py-2.5 text-sm last:border-b-0 sm:grid-cols-[minmax(0,1fr)_minmax(0,14rem)]"
            >
              <p>
                <span className="text-base">{securityEvents[event.event]}</span>
                <span className="block text-muted">
                  {[event.device, describeLocalAddress(event.ip) ?? event.ip].filter(Boolean).join(', ')}
                </span>
              </p>
              <p className="text-muted tabular-nums sm:text-right sm:leading-6">
                <Timestamp at={event.at} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
