import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { inWords } from '#client/lib/own-words.ts'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import type { SetupItem } from '#shared/contracts/operations/setup-checklist.ts'
import { SampleContent } from './sample-content.tsx'
import { setupChecklistQuery } from './setup-checklist.api.ts'

/** Lists what the publication still needs before it goes live, and what it has. */
export function SetupChecklist() {
  const checklist = useQuery(setupChecklistQuery(true))
  if (!checklist.data) {
    return <QueryPlaceholder query={checklist} what="the checklist" lines={8} height="h-14" className="max-w-2xl" />
  }
  const isMissing = ({ isDone }: SetupItem) => !isDone
  const own = checklist.data.items.filter(({ part }) => part === 'publication')
  const ofServer = checklist.data.items.filter(({ part }) => part === 'server')
  const missing = own.filter(isMissing)
  const done = own.filter(({ isDone }) => isDone)
  const lacking = ofServer.filter(isMissing).length
  return (
    <>
      {missing.length > 0 && (
        <Section title="Still missing" status={`${missing.length} of ${own.length}`}>
          <Items items={missing} />
        </Section>
      )}
      {done.length > 0 && (
        <Section
          title="Done"
          lede={missing.length + lacking === 0 ? 'Your publication is ready to go live.' : undefined}
        >
          <Items items={done} />
        </Section>
      )}
      <Section title="Server" status={lacking > 0 ? `${lacking} of ${ofServer.length} missing` : 'Done'}>
        <Disclosure summary="Address, payments, email and backups" className="max-w-2xl">
          <p className="pb-3 text-muted">
            Run <code>npm run setup</code> on the server. It asks for what is missing here, checks it, and writes it
            down.
          </p>
          <Items items={[...ofServer.filter(isMissing), ...ofServer.filter(({ isDone }) => isDone)]} />
        </Disclosure>
      </Section>
      <SampleContent />
    </>
  )
}

function Items({ items }: { items: readonly SetupItem[] }) {
  return (
    <ul className="max-w-2xl divide-y divide-line border-t border-line">
      {items.map(({ key, title, detail, isDone, path, variables }) => (
        <li key={key} className="flex gap-3 py-3.5">
          {isDone ? (
            <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} />
          ) : (
            <Circle aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
          )}
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p className="font-semibold">
              {path ? (
                <Link
                  to={path}
                  className="text-link inline-flex min-h-11 min-w-11 items-center max-sm:-my-2.5 sm:min-h-0"
                >
                  {inWords(title)}
                </Link>
              ) : (
                title
              )}
            </p>
            <p className="text-muted">{inWords(detail)}</p>
            {variables.length > 0 && !isDone && (
              <p className="text-sm text-muted">
                Set {variables.join(' and ')} in the server’s environment, then restart it.
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
