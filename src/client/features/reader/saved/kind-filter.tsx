import { clsx } from 'clsx'
import { useSearchParams } from 'react-router'
import { type ContentKind, contentKinds } from '#shared/domain/content-items.ts'
import { kindTexts } from './kind-texts.ts'

/** Limits the list to one kind. Part of the address, so that going back restores it. */
export function KindFilter({ kind }: { kind: ContentKind | null }) {
  const [search, setSearch] = useSearchParams()
  const choose = (chosen: ContentKind | null) => {
    const next = new URLSearchParams(search)
    if (chosen) next.set('kind', chosen)
    else next.delete('kind')
    setSearch(next, { replace: true, preventScrollReset: true })
  }
  return (
    <ul aria-label="Kind" className="flex flex-wrap gap-x-1 pt-3 [&>li:first-child]:-ml-3">
      {[null, ...contentKinds].map((one) => (
        <li key={one}>
          <button
            type="button"
            aria-pressed={kind === one}
            onClick={() => choose(one)}
            className={clsx(
              'min-h-11 rounded-md px-3 text-sm hover:bg-sunken',
              kind === one
                ? 'font-semibold text-ink underline decoration-accent decoration-2 underline-offset-6'
                : 'text-muted hover:text-ink',
            )}
          >
            {one ? kindTexts[one].plural : 'All kinds'}
          </button>
        </li>
      ))}
    </ul>
  )
}
