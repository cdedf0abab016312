import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ProblemNote, ProblemTitle } from '#client/features/operations/status/problem-text.tsx'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { ownWords } from '#client/lib/publication.ts'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { type AdminStatus, adminStatusCall } from '#shared/contracts/operations/admin-status.ts'
import { formatNumber } from '#shared/domain/format-count.ts'

export function Component() {
  const status = useQuery(statusQuery)
  return (
    <>
      <PageHeading title="Status" />
      {status.data ? (
        <StatusReport status={status.data} />
      ) : (
        <QueryPlaceholder query={status} what="the status" lines={8} height="h-10" />
      )}
    </>
  )
}

const refreshMs = 30_000

const statusQuery = alwaysStaleQuery(['admin-status'], adminStatusCall, {}, { refetchInterval: refreshMs })

/** Lists what is wrong or late first, then what waits, then what runs. */
function StatusReport({ status: { checkedAt, problems, waiting, running } }: { status: AdminStatus }) {
  return (
    <>
      <p className="mt-4 text-muted">
        Checked <Timestamp at={checkedAt} inline />. This page updates itself.
      </p>
      <div className="mt-8 grid gap-10 lg:grid-cols-2">
        <Part title="Late or broken" className="lg:col-span-2">
          {problems.length === 0 ? (
            <p className="flex gap-2 py-4 text-muted">
              <Sign isOk />
              Nothing is late, and everything works.
            </p>
          ) : (
            <ul>
              {problems.map((problem) => (
                <li
                  key={problem.kind}
                  className="flex gap-2 border-b border-line py-3 leading-6 [overflow-wrap:anywhere]"
                >
                  <Sign isOk={false} />
                  <div>
                    <p>
                      <ProblemTitle problem={problem} />
                    </p>
                    <p className="text-sm leading-6 text-muted">
                      <ProblemNote problem={problem} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </Part>
        <Part title="Waiting">
          <dl>
            <Row name={ownWords`Next drop`}>
              {waiting.nextDrop ? (
                <>
                  <PageLink to={`/admin/content/drops/${waiting.nextDrop.id}`}>{waiting.nextDrop.title}</PageLink>,{' '}
                  <Timestamp at={waiting.nextDrop.at} inline />
                </>
              ) : (
                <PageLink to="/admin/content/drops">None is scheduled</PageLink>
              )}
            </Row>
            <Row name="Next mailing">
              {waiting.nextMailing ? (
                <>
                  <PageLink to={`/admin/newsletter/${waiting.nextMailing.id}`}>{waiting.nextMailing.subject}</PageLink>,{' '}
                  <Timestamp at={waiting.nextMailing.at} inline />
                </>
              ) : (
                <PageLink to="/admin/newsletter">None is scheduled</PageLink>
              )}
            </Row>
            <Row name="Newsletter email to send">{formatNumber(waiting.deliveries)}</Row>
            <Row name="Steps of series that are due">
              {waiting.seriesSteps > 0 ? (
                <PageLink to="/admin/newsletter/series">{formatNumber(waiting.seriesSteps)}</PageLink>
              ) : (
                '0'
              )}
            </Row>
            {waiting.jobs.map(({ name, count, since }) => (
              <Row key={name} name={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}>
                {formatNumber(count)}, since <Timestamp at={since} inline />
              </Row>
            ))}
            {waiting.jobs.length === 0 && <Row name="Background work">None waits</Row>}
          </dl>
        </Part>
        <Part title="Running">
          <dl>
            {running.map(({ name, state, isOk, at }) => (
              <Row key={name} name={name} sign={<Sign isOk={isOk} />}>
                {state}
                {at && (
                  <>
                    , last <Timestamp at={at} inline />
                  </>
                )}
              </Row>
            ))}
          </dl>
        </Part>
      </div>
    </>
  )
}

function Part({ title, className, children }: { title: string; className?: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className={className}>
      <h2 id={titleId} className="display border-b-2 border-ink pb-1.5 text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}

const Row = ({ name, sign, children }: { name: string; sign?: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-4 border-b border-line py-3 leading-6">
    <dt className="flex gap-2">
      {sign}
      {name}
    </dt>
    <dd className="text-muted [overflow-wrap:anywhere]">{children}</dd>
  </div>
)

const Sign = ({ isOk }: { isOk: boolean }) =>
  isOk ? (
    <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} />
  ) : (
    <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" strokeWidth={1.75} />
  )
