import { Download, FileSpreadsheet, FileText, NotebookText } from 'lucide-react'
import { type MouseEvent, type ReactNode, useId, useRef } from 'react'
import type { RenderItem } from '#client/lib/item-marks.ts'
import { Button } from '#client/ui/button.tsx'
import type { Guide } from '#shared/contracts/library/library.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { GuidePages } from './guide-pages.tsx'
import { useDownloadGuide } from './guides.api.ts'
import { PageImage } from './page-image.tsx'

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
