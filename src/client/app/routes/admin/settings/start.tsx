import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Circle, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { setupChecklistQuery } from '#client/features/operations/setup-checklist/setup-checklist.api.ts'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { inWords, ownWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Disclosure, PageHeading, Section } from '#client/ui/page-parts.tsx'
import type { SetupItem } from '#shared/contracts/operations/setup-checklist.ts'
import {
  adminRemoveSamplesCall,
  adminRestoreSamplesCall,
  adminSampleContentCall,
} from '#shared/contracts/publishing/content-cleanup.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Getting started" lede="What your publication needs before it goes live." className="mb-8" />
      <SetupChecklist />
    </>
  )
}

/** Lists what the publication still needs before it goes live, and what it has. */
function SetupChecklist() {
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

/** Removes the drops, packs, guides and tools that came with the software, and puts them back. */
function SampleContent() {
  const { data } = useQuery(alwaysStaleQuery(['admin-sample-content'], adminSampleContentCall, {}))
  const queryClient = useQueryClient()
  const restore = useMutation({
    mutationFn: () => invoke(adminRestoreSamplesCall, {}),
    onSuccess: () => toast.success('The sample content is back', { id: 'samples' }),
    onError: (error) => toast.error('Nothing was changed', { id: 'samples', description: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  const remove = useMutation({
    mutationFn: () => invoke(adminRemoveSamplesCall, {}),
    onSuccess: () =>
      toast.success('The sample content is removed', {
        id: 'samples',
        action: { label: 'Undo', onClick: () => restore.mutate() },
      }),
    onError: (error) => toast.error('Nothing was changed', { id: 'samples', description: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  if (!data || data.shown + data.removed + data.inUse === 0) return null
  const { shown, removed, inUse } = data
  return (
    <Section
      title="Sample content"
      lede={ownWords`Drops, prompt packs, guides and tools that came with the software. What you wrote or edited isn’t touched.`}
    >
      <div className="flex flex-wrap items-center gap-3">
        {shown > 0 && (
          <ConfirmButton
            label="Remove all sample content"
            variant="secondary"
            pending={remove.isPending}
            title="Remove all sample content?"
            action={`Remove ${countOf(shown)}`}
            onConfirm={() => remove.mutate()}
          >
            Readers don’t see them anymore. You can put them back here at any time, and what readers saved opens again
            then.
          </ConfirmButton>
        )}
        {removed > 0 && (
          <Button variant="secondary" pending={restore.isPending} onClick={() => restore.mutate()}>
            Put sample content back
          </Button>
        )}
      </div>
      <p className="mt-3 text-sm text-muted" role="status">
        {[
          shown > 0 && `Readers see ${countOf(shown)}.`,
          removed > 0 && `${countOf(removed)} removed.`,
          inUse > 0 && `${countOf(inUse)} can’t be removed here: scheduled, or emailed to readers.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </Section>
  )
}

const countOf = (count: number) => (count === 1 ? '1 sample' : `${count} samples`)
