import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import type { Guide } from '#shared/contracts/library/library.ts'
import { PageImage } from './page-image.tsx'

/** Thumbnails of the pages after the cover, in one row that scrolls. A click enlarges a page. */
export function GuidePages({ guide: { title, pages } }: { guide: Guide }) {
  const [opened, setOpened] = useState<number | null>(null)
  return (
    <>
      <ol
        aria-label={`Pages of ${title}`}
        className="print:hidden -mx-[var(--gutter)] flex gap-3 overflow-x-auto px-[var(--gutter)] pt-5 pb-3 lg:mx-0 lg:px-0"
      >
        {pages.slice(1).map((page, index) => (
          <li key={page.path} className="shrink-0">
            <button
              type="button"
              onClick={() => setOpened(index + 1)}
              className="block rounded-sm hover:[&>img]:border-ink -outline-offset-3"
            >
              <PageImage page={page} alt={`Page ${index + 2} of ${pages.length}`} className="h-36 w-auto sm:h-40" />
            </button>
          </li>
        ))}
      </ol>
      {opened !== null && (
        <PageDialog title={title} pages={pages} shown={opened} onShow={setOpened} onClose={() => setOpened(null)} />
      )}
    </>
  )
}

type PageDialogProps = {
  title: string
  pages: Guide['pages']
  shown: number
  onShow: (index: number) => void
  onClose: () => void
}

function PageDialog({ title, pages, shown, onShow, onClose }: PageDialogProps) {
  const page = pages[shown]
  if (!page) return null
  return (
    <Dialog title={title} onClose={onClose}>
      <PageImage key={page.path} page={page} alt={`Page ${shown + 1}`} className="mt-4 h-auto w-full" />
      <div className="mt-3 -mx-3 flex items-center justify-between gap-2">
        <Button variant="quiet" disabled={shown === 0} onClick={() => onShow(shown - 1)}>
          <ChevronLeft aria-hidden className="size-5" strokeWidth={1.75} />
          Previous
        </Button>
        <p role="status" className="text-sm text-muted tabular-nums">
          {shown + 1} of {pages.length}
        </p>
        <Button variant="quiet" disabled={shown === pages.length - 1} onClick={() => onShow(shown + 1)}>
          Next
          <ChevronRight aria-hidden className="size-5" strokeWidth={1.75} />
        </Button>
      </div>
    </Dialog>
  )
}
