import { Printer, Share2 } from 'lucide-react'
import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '#client/ui/button.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { printElement } from '#client/ui/print-element.ts'
import type { TaskSheet } from '#shared/contracts/reader/task-links.ts'
import { formatDay } from '#shared/domain/format.ts'

/** Links to send, and a sheet of each to print. */
export function TaskSheets({ sheets }: { sheets: readonly TaskSheet[] }) {
  const printed = useRef<HTMLDivElement>(null)
  return (
    <>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {sheets.map((sheet) => (
          <li key={sheet.assignmentId} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <img src={sheet.qr} alt={`QR code for ${nameOf(sheet)}`} className="size-20 rounded-sm bg-white" />
            <div className="min-w-0 flex-1">
              <p className="font-semibold [overflow-wrap:anywhere]">{nameOf(sheet)}</p>
              <SendButtons sheet={sheet} />
            </div>
          </li>
        ))}
      </ul>
      <Button className="mt-5" block onClick={() => printElement(printed.current)}>
        <Printer aria-hidden className="size-4" strokeWidth={1.75} />
        {sheets.length === 1 ? 'Print sheet' : `Print ${sheets.length} sheets`}
      </Button>
      <p className="mt-3 text-sm text-muted">
        Anyone with a link sees this task and nothing else. See who opened it and what’s done under Assignments.
      </p>
      {/* Outside the dialog, which prints on one page only. */}
      {createPortal(
        <div ref={printed} className="hidden print:data-print-alone:block">
          {sheets.map((sheet) => (
            <PrintedSheet key={sheet.assignmentId} sheet={sheet} />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}

const nameOf = ({ toName, crew }: TaskSheet) => [toName, crew].filter(Boolean).join(' · ')

function SendButtons({ sheet }: { sheet: TaskSheet }) {
  const canShare = typeof navigator.share === 'function'
  // Closing the share sheet rejects, which needs no message.
  const handleShare = () => void navigator.share({ text: sheet.message }).catch(() => undefined)
  return (
    <div className="mt-1.5 flex flex-wrap gap-2">
      {canShare && (
        <Button size="sm" variant="secondary" onClick={handleShare}>
          <Share2 aria-hidden className="size-4" strokeWidth={1.75} />
          Send<span className="sr-only"> the link for {nameOf(sheet)}</span>
        </Button>
      )}
      <CopyButton text={sheet.url} what={`link for ${nameOf(sheet)}`} />
    </div>
  )
}

const PrintedSheet = ({ sheet }: { sheet: TaskSheet }) => (
  <section className="break-after-page text-center last:break-after-auto">
    <p className="border-b-4 border-double border-ink pb-3 text-2xl">{nameOf(sheet)}</p>
    <h2 className="display mt-8 text-4xl [overflow-wrap:anywhere]">{sheet.title}</h2>
    {sheet.dueOn && <p className="mt-2 text-xl">{formatDay(sheet.dueOn)}</p>}
    <img src={sheet.qr} alt="" className="mx-auto my-8 size-[10cm]" />
    {sheet.scan.map(({ language, text }) => (
      <p key={language} lang={language} className="text-xl">
        {text}
      </p>
    ))}
  </section>
)
