import { Bookmark, FolderPlus } from 'lucide-react'
import { ownWords } from '#client/lib/own-words.ts'
import { publication } from '#client/lib/publication.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import type { ContentKind } from '#shared/domain/content-items.ts'
import { hasTab } from '#shared/domain/tabs.ts'
import { kindTexts } from './kind-texts.ts'

type EmptySavedProps = {
  /** Name of the collection that is shown. */
  collection: string | null
  kind: ContentKind | null
}

/** Explains how to save something. */
export function EmptySaved({ collection, kind }: EmptySavedProps) {
  if (kind) {
    return (
      <EmptyState title={`No ${kindTexts[kind].plural.toLowerCase()} here`}>
        <p>Choose “All kinds” to see the rest.</p>
      </EmptyState>
    )
  }
  if (collection !== null) {
    return (
      <EmptyState title="This collection is empty">
        <p>
          Tap <InlineIcon icon={FolderPlus} /> below anything, or hold its Save button, and choose “{collection}”.
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="Nothing saved yet"
      action={
        <div className="flex flex-wrap gap-3">
          {hasTab(publication, 'prompt-packs') && (
            <ButtonLink to="/portal/prompt-packs">Find a prompt to save</ButtonLink>
          )}
          <ButtonLink to="/portal/weekly-drops" variant="secondary">{ownWords`Read a drop`}</ButtonLink>
        </div>
      }
    >
      <p>
        Tap <InlineIcon icon={Bookmark} /> Save on anything you want to keep. You’ll find it here, on your phone and on
        the office computer.
      </p>
      <p className="mt-2">Collections keep things together: what to hand to a new manager, what to try on Monday.</p>
    </EmptyState>
  )
}

const InlineIcon = ({ icon: Icon }: { icon: typeof Bookmark }) => (
  <Icon aria-hidden className="-mt-0.5 inline size-4.5 text-ink" strokeWidth={1.75} />
)
