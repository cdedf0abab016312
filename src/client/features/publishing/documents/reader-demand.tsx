import { useQuery } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { adminReaderDemandCall, type ReaderDemand as Demand } from '#shared/contracts/publishing/reader-demand.ts'
import { useCreateDocument } from './content.api.ts'

const demandQuery = alwaysStaleQuery(['admin-reader-demand'], adminReaderDemandCall, {})

/** Whom the last drops served and missed, and what readers looked for and asked. Each becomes a draft with one click. */
export function ReaderDemand() {
  const demand = useQuery(demandQuery)
  return (
    <Section
      title="Who was served"
      lede={ownWords`Of your last drops, those with something for each trade, level and focus area. Those that were missed come first.`}
    >
      {demand.data ? (
        <DemandLists demand={demand.data} />
      ) : demand.isError ? (
        <LoadError what="who was served" query={demand} />
      ) : (
        <SkeletonText lines={6} height="h-8" />
      )}
    </Section>
  )
}

function DemandLists({ demand: { drops, groups, searches, questions } }: { demand: Demand }) {
  const lists = [
    ...groups.map(({ title, items }) => ({
      title,
      items: items.map(({ label, drops: served }) => ({
        id: label,
        text: label,
        note: `${served} of ${drops}`,
        draft: label,
      })),
    })),
    {
      title: 'Searches without a result',
      items: searches.map(({ query, count }) => ({ id: query, text: query, note: `${count}×`, draft: query })),
    },
    {
      title: 'Questions in answers',
      items: questions.map(({ id, text }) => ({ id, text, note: '', draft: text })),
    },
  ]
  return (
    <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
      {lists.map(({ title, items }) => (
        <div key={title}>
          <h4 className="font-semibold">{title}</h4>
          {items.length === 0 && <p className="mt-1 text-sm text-muted">None.</p>}
          <ul aria-label={title}>
            {items.map((item) => (
              <DemandRow key={item.id} {...item} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

function DemandRow({ text, note, draft }: { text: string; note: string; draft: string }) {
  const create = useCreateDocument('issue')
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line py-1 text-sm">
      <span className="wrap-anywhere">
        {text} <span className="text-muted tabular-nums">{note}</span>
      </span>
      <Button variant="quiet" size="sm" pending={create.isPending} onClick={() => create.mutate({ title: draft })}>
        Draft<span className="sr-only"> about {text}</span>
      </Button>
    </li>
  )
}
