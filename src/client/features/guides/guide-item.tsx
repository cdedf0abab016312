import { Download, FileSpreadsheet, NotebookText } from 'lucide-react'
import { type MouseEvent, useId, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { Guide } from '#shared/contracts/library.ts'
import { useDownloadGuide } from './guides.api.ts'

const icons = { Playbook: NotebookText, Template: FileSpreadsheet }
const whole = new Intl.NumberFormat('en-US')

/** A second click within this time counts as a double click and is ignored. */
const doubleClickMs = 1000

export function GuideItem({ guide }: { guide: Guide }) {
  const download = useDownloadGuide()
  const startedAt = useRef(Number.NEGATIVE_INFINITY)
  const titleId = useId()
  const Icon = icons[guide.type]

  const handleDownload = (event: MouseEvent) => {
    if (download.isPending || event.timeStamp - startedAt.current < doubleClickMs) return
    startedAt.current = event.timeStamp
    download.mutate(guide.id)
  }

  return (
    <li className="break-inside-avoid border-b border-line py-8 print:py-5 sm:py-10 lg:grid lg:grid-cols-[minmax(0,1fr)_13rem] lg:gap-16">
      <div>
        <p className="flex items-center gap-2 text-sm font-semibold text-accent-ink">
          <Icon aria-hidden className="size-5" strokeWidth={1.75} />
          {guide.type}
        </p>
        <h2 id={titleId} className="display mt-1 text-2xl">
          {guide.title}
        </h2>
        <p className="mt-2 measure text-muted">{guide.description}</p>
        <h3 className="mt-5 text-sm font-semibold">Inside</h3>
        <ol className="mt-1 text-sm sm:columns-2 sm:gap-12">
          {guide.inside.map((entry, index) => (
            <li key={entry} className="flex break-inside-avoid gap-3 py-1">
              <span aria-hidden className="w-4 shrink-0 text-right text-muted tabular-nums">
                {index + 1}
              </span>
              {entry}
            </li>
          ))}
        </ol>
      </div>
      <div className="mt-6 lg:mt-0">
        <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm tabular-nums">
          <dt className="text-muted">Format</dt>
          <dd>{guide.format}</dd>
          <dt className="text-muted">Extent</dt>
          <dd>{guide.extent}</dd>
          <dt className="text-muted print:hidden">Downloads</dt>
          <dd aria-live="polite" className="print:hidden">
            {whole.format(guide.downloads)}
          </dd>
        </dl>
        <Button
          aria-describedby={titleId}
          pending={download.isPending}
          onClick={handleDownload}
          className="w-full sm:w-auto lg:w-full print:hidden"
        >
          <Download aria-hidden className="size-5" strokeWidth={1.75} />
          Download
        </Button>
      </div>
    </li>
  )
}
