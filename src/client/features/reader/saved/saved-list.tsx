import { clsx } from 'clsx'
import { FolderPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { IconButton } from '#client/ui/button.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import type { SavedItem } from '#shared/contracts/reader/saved.ts'
import { itemKey } from '#shared/domain/content-items.ts'
import { formatDay } from '#shared/domain/format.ts'
import { kindTexts } from './kind-texts.ts'
import { SaveButton } from './save-button.tsx'

const CollectDialog = lazy(() => import('./collect-dialog.tsx'))

export function SavedList({ items }: { items: readonly SavedItem[] }) {
  return (
    <ul aria-label="Saved items" className="mt-2 border-t border-line">
      {items.map((item) => (
        <SavedRow key={itemKey(item)} item={item} />
      ))}
    </ul>
  )
}

/** A removed item stays in the list until the reader leaves the page, so that another tap restores it. */
function SavedRow({ item }: { item: SavedItem }) {
  const [saved, setSaved] = useState(true)
  const [isChoosing, setIsChoosing] = useState(false)
  const { name, icon: Icon } = kindTexts[item.kind]
  return (
    <li className="relative flex items-center gap-3 border-b border-line py-2.5 sm:gap-5">
      <Icon aria-hidden className="size-5 shrink-0 text-muted max-sm:hidden" strokeWidth={1.75} />
      <div className={clsx('min-w-0 grow', !saved && 'opacity-60')}>
        <p className="leading-snug font-semibold [overflow-wrap:anywhere]">
          {item.path ? (
            <Link to={item.path} className="hover:text-primary hover:underline hover:underline-offset-4">
              {item.title}
            </Link>
          ) : (
            item.title
          )}
        </p>
        <p className="mt-0.5 text-sm text-muted">
          {item.path ? name : 'No longer available'}
          {item.parentTitle && ` in ${item.parentTitle}`}
          <span className="tabular-nums"> · {formatDay(item.savedAt)}</span>
        </p>
      </div>
      <div className="-mr-3 flex shrink-0">
        <IconButton icon={FolderPlus} label={`Add to collection: ${item.title}`} onClick={() => setIsChoosing(true)} />
        <SaveButton
          compact
          item={item}
          saved={saved}
          savedAt={item.savedAt}
          onChange={setSaved}
          onLongPress={() => setIsChoosing(true)}
        />
      </div>
      {isChoosing && (
        <Suspense fallback={null}>
          <CollectDialog item={item} onClose={() => setIsChoosing(false)} />
        </Suspense>
      )}
    </li>
  )
}

/** Rows with the size of `SavedList` rows. */
export function SavedListSkeleton() {
  return (
    <div className="mt-16 border-t border-line">
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className="border-b border-line py-2.5">
          <SkeletonText lines={2} className="max-w-md" />
        </div>
      ))}
    </div>
  )
}
