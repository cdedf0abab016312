import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight, Download, FileSpreadsheet, FileText, NotebookText } from 'lucide-react'
import { type MouseEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { RenderItem } from '#client/lib/item-marks.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useNearViewport } from '#client/ui/use-near-viewport.ts'
import type { Guide, GuidePage } from '#shared/contracts/library/library.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { guidesQuery, useDownloadGuide } from './guides.api.ts'

/** A second click within this time counts as a double click and is ignored. */
const doubleClickMs = 1000

type GuideItemProps = {
  guide: Guide
  renderActions?: RenderItem
  /** Below the description. */
  notice?: ReactNode
}

export function GuideItem({ guide, renderActions, notice }: GuideItemProps) {
  const download = useDownloadGuide()
  const startedAt = useRef(Number.NEGATIVE_INFINITY)
  const titleId = useId()

  const handleDownload = (event: MouseEvent) => {
    if (download.isPending || event.timeStamp - startedAt.current < doubleClickMs) return
    startedAt.current = event.timeStamp
    download.mutate(guide.id)
  }

  return (
    <li
      id={guide.id}
      tabIndex={-1}
      className="grid break-inside-avoid scroll-mt-4 grid-cols-[min(9rem,36vw)_minmax(0,1fr)] gap-x-[16px] border-b border-line py-8 print:py-5 sm:grid-cols-[9rem_minmax(0,1fr)] sm:grid-rows-[auto_1fr] sm:gap-x-8 sm:py-12 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-x-14"
    >
      <div className="sm:row-span-2 lg:pt-1">
        <Cover guide={guide} />
      </div>
      <div>
        <p className="text-sm font-semibold text-accent-ink">{guide.type}</p>
        <h2 id={titleId} className="display mt-0.5 text-xl sm:mt-1 sm:text-2xl lg:text-3xl">
          {guide.title}
        </h2>
      </div>
      <div className="col-span-full sm:col-span-1">
        <p className="mt-4 measure text-muted sm:mt-3">{guide.description}</p>
        {notice}
        <div className="mt-5 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm tabular-nums max-sm:grid max-sm:grow max-sm:grid-cols-[repeat(auto-fill,minmax(8rem,1fr))]">
            <Fact name="Format">
              {guide.format}, {guide.extent}
            </Fact>
            {guide.edition && <Fact name="Edition">{guide.edition}</Fact>}
            {guide.checkedOn && (
              <Fact name="Last checked">
                <time dateTime={guide.checkedOn}>{formatDay(guide.checkedOn)}</time>
              </Fact>
            )}
            <div className="print:hidden">
              <dt className="text-muted">Downloads</dt>
              <dd aria-live="polite">{formatNumber(guide.downloads)}</dd>
            </div>
          </dl>
          <Button
            aria-describedby={titleId}
            pending={download.isPending}
            onClick={handleDownload}
            className="max-sm:w-full print:hidden"
          >
            <Download aria-hidden className="size-5" strokeWidth={1.75} />
            Download
          </Button>
        </div>
        <h3 className="mt-6 text-sm font-semibold">Inside</h3>
        {/* Set like a book's table of contents. */}
        <ol className="mt-2 grid gap-y-1.5 text-sm lg:grid-cols-2 lg:gap-x-10">
          {guide.inside.map((entry, index) => (
            <li key={entry} className="flex gap-3">
              <span aria-hidden className="display w-5 shrink-0 text-right text-accent-ink tabular-nums">
                {index + 1}
              </span>
              {entry}
            </li>
          ))}
        </ol>
        {guide.pages.length > 1 && <GuidePages guide={guide} />}
        {renderActions?.({ kind: 'guide', id: guide.id, title: guide.title })}
      </div>
    </li>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const icons = { PDF: NotebookText, Excel: FileSpreadsheet } as const

/** The first page; a blank sheet with the format if there are no images. */
function Cover({ guide: { pages, format } }: { guide: Guide }) {
  const [cover] = pages
  if (cover) return <PageImage page={cover} alt="Cover" className="h-auto w-full shadow-float print:shadow-none" />
  const Icon = icons[format as keyof typeof icons] ?? FileText
  return (
    <div
      aria-hidden
      className="grid aspect-[17/22] w-full place-items-center rounded-sm border border-line bg-surface text-muted"
    >
      <Icon className="size-8 sm:size-12" strokeWidth={1.25} />
    </div>
  )
}

/** Thumbnails of the pages after the cover, in one row that scrolls. A click enlarges a page. */
function GuidePages({ guide: { title, pages } }: { guide: Guide }) {
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

/** If there is no source, browsers show the text and a mark for a broken image. */
const emptyImage = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

type PageImageProps = { page: GuidePage; alt: string; className?: string }

/** A page on white paper, in dark mode too. Its size is known before it loads. */
function PageImage({ page, alt, className }: PageImageProps) {
  const queryClient = useQueryClient()
  const hasFailed = useRef(false)
  const image = useRef<HTMLImageElement>(null)
  const isNear = useNearViewport(image)

  /** The link has expired if the tab was open for hours. New links come with the list. */
  const handleError = () => {
    if (hasFailed.current) return
    hasFailed.current = true
    void queryClient.invalidateQueries({ queryKey: guidesQuery.queryKey })
  }

  return (
    <img
      ref={image}
      src={isNear ? page.path : emptyImage}
      width={page.width}
      height={page.height}
      alt={alt}
      style={{ aspectRatio: `${page.width} / ${page.height}` }}
      decoding="async"
      onError={handleError}
      className={clsx('rounded-sm border border-line bg-sunken', className)}
    />
  )
}
