import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { PageLink } from '#client/ui/page-link.tsx'
import { bounceCauses, type MailingReport } from '#shared/contracts/publishing/mailing-report.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { listAddress } from './report-figures.ts'

/** The links of the email by the readers who clicked them. */
export function ClickedLinks({ mailingId, links }: { mailingId: string; links: MailingReport['links'] }) {
  if (links.length === 0) return null
  const most = Math.max(1, ...links.map((link) => link.readers))
  return (
    <section aria-labelledby="report-links" className="mt-8">
      <h4 id="report-links" className="border-b-2 border-ink pb-2 font-semibold">
        Links by clicks
      </h4>
      <ol>
        {links.map((link) => (
          <li key={link.url} className="border-b border-line py-2">
            <div className="flex items-center justify-between gap-4">
              <a
                href={link.url}
                target="_blank"
                rel="noreferrer"
                className="min-w-0 text-sm [overflow-wrap:anywhere] hover:underline"
              >
                {link.url.replace(/^https?:\/\//, '')}
              </a>
              <CountLink
                count={link.readers}
                label={`${readers(link.readers)} clicked ${link.url}, show the list`}
                to={listAddress(mailingId, { link: link.url })}
              />
            </div>
            <div aria-hidden className="h-1.5 rounded-sm bg-sunken">
              <div className="h-full rounded-sm bg-accent" style={{ width: `${(link.readers / most) * 100}%` }} />
            </div>
            {link.bots > 0 && (
              <p className="mt-1 text-xs text-muted">and {formatNumber(link.bots)} by bots, which don’t count</p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Returned emails by cause. */
export function BounceCauses({ mailingId, causes }: { mailingId: string; causes: MailingReport['bounceCauses'] }) {
  if (causes.length === 0) return null
  return (
    <section aria-labelledby="report-bounces" className="mt-8">
      <h4 id="report-bounces" className="border-b-2 border-ink pb-2 font-semibold">
        Why emails bounced
      </h4>
      <ul>
        {causes.map(({ cause, count }) => (
          <li key={cause} className="flex items-center justify-between gap-4 border-b border-line py-2 text-sm">
            {bounceCauses[cause]}
            <CountLink
              count={count}
              label={`${bounceCauses[cause]}: ${formatNumber(count)}, show the list`}
              to={listAddress(mailingId, { bounceCause: cause })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

const CountLink = ({ count, label, to }: { count: number; label: string; to: string }) =>
  count > 0 ? (
    <PageLink
      to={to}
      label={label}
      className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-end px-1 tabular-nums"
    >
      {formatNumber(count)}
    </PageLink>
  ) : (
    <span className="inline-flex min-h-11 shrink-0 items-center px-1 text-muted">0</span>
  )
