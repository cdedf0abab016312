import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { MailingAlert } from '#shared/contracts/mailings.ts'
import { sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { pauseAlert } from './mailing-labels.ts'
import { mailingAlertsQuery } from './newsletter.api.ts'

/** Dashboard section: mailings that weren't sent or paused automatically. Hidden if there are none. */
export function MailingAlerts() {
  const { data } = useQuery(mailingAlertsQuery)
  if (!data || data.items.length === 0) return null
  return (
    <section
      aria-labelledby="mailing-alerts"
      className="mt-6 border-l-3 border-danger bg-danger-soft px-4 py-4 sm:mt-8"
    >
      <h2 id="mailing-alerts" className="font-semibold text-danger">
        {data.items.length === 1 ? 'A mailing needs your attention' : 'Mailings need your attention'}
      </h2>
      <ul className="mt-2 grid gap-3">
        {data.items.map((alert) => (
          <li key={alert.id}>
            <Alert alert={alert} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Alert({ alert: { id, subject, at, sendFailure, pauseReason } }: { alert: MailingAlert }) {
  const text = sendFailure ? sendFailureTexts[sendFailure.reason] : pauseAlert(pauseReason)
  return (
    <>
      <p className="[overflow-wrap:anywhere]">
        <Link to={`/admin/newsletter/${id}`} className="text-link font-semibold">
          {subject}
        </Link>{' '}
        {sendFailure ? 'wasn’t sent' : 'paused automatically'} (<Timestamp at={sendFailure?.scheduledAt ?? at} inline />
        ).
      </p>
      {text && (
        <p className="max-w-[72ch] text-sm">
          {text.why} {text.remedy}
        </p>
      )}
    </>
  )
}
