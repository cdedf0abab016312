import { type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import type { FilledPart } from '#shared/domain/fill-placeholders.ts'
import { Blank } from './blank.tsx'
import { LocationChooser, PromptActions } from './prompt-actions.tsx'
import { CopiedNote, OpenEditor } from './prompt-text.tsx'
import { useFilling } from './use-filling.ts'
import { useOpenBlank } from './use-open-blank.ts'
import { type Guard, usePasteGuard } from './use-paste-guard.tsx'

type QuotedPromptProps = {
  /** The quotation in the drop's HTML. Each `mark` in it is a blank. */
  element: HTMLElement
  /** A prompt for an assistant, not a message. */
  isPrompt: boolean
  /** The text with the names of its blanks. */
  template: string
  /** Names the prompt that answers are remembered for. */
  promptId: string
  /** Completes the accessible name of the Copy button. */
  what: string
  /** Beside the chooser of a location. */
  forStores?: ReactNode
  onCopied?: () => void
}

/** Fills in the blanks of a prompt or a message in a drop's text, and adds the actions at its end. */
export function QuotedPrompt({ element, template, isPrompt, promptId, what, forStores, onCopied }: QuotedPromptProps) {
  const filling = useFilling({ promptId, body: template, remembers: true })
  const blank = useOpenBlank(filling)
  const { guard, question } = usePasteGuard(filling)
  const copyGuard: Guard = isPrompt ? guard : (run) => run(filling.text)
  const [copiedText, setCopiedText] = useState<string | null>(null)
  const parts = filling.parts.filter(({ placeholder }) => placeholder)
  const marks = useMarks(element, parts.length)
  const handleCopied = () => {
    setCopiedText(filling.text)
    onCopied?.()
  }
  const open = parts.find(blank.isOpen)
  const openMark = open && marks[parts.indexOf(open)]

  return (
    <>
      {marks.map((mark, index) => {
        const part = parts[index]
        return part && createPortal(<MarkedBlank part={part} blank={blank} />, mark, String(part.at))
      })}
      {open && openMark && (
        <EditorBelow key={open.at} mark={openMark}>
          <OpenEditor part={open} filling={filling} blank={blank} vertical={null} />
        </EditorBelow>
      )}
      <div className="grid gap-3 font-sans text-base">
        <div className="flex flex-wrap items-center gap-x-6 empty:hidden">
          <LocationChooser locations={filling.locations} location={filling.location} />
          {forStores}
        </div>
        <div className="flex flex-wrap items-start justify-between gap-2">
          <div>
            <PromptActions filling={filling} guard={guard} opens={isPrompt} onCopied={handleCopied} />
          </div>
          <CopyButton text={filling.text} what={what} guard={copyGuard} onCopied={handleCopied} />
        </div>
        {question}
        {isPrompt && hasPage(publication, 'safety') && (
          <p className="text-sm">
            <Link to="/portal/safety" className="text-link">
              What never goes into an AI tool
            </Link>
          </p>
        )}
      </div>
      {copiedText === filling.text && <CopiedNote missing={filling.missing} />}
    </>
  )
}

const MarkedBlank = ({ part, blank }: { part: FilledPart; blank: ReturnType<typeof useOpenBlank> }) => (
  <Blank part={part} id={blank.idOf(part)} isOpen={blank.isOpen(part)} onOpen={() => blank.toggle(part)} />
)

/** The emptied marks of the quotation, before the first paint; none if they don't match the blanks. */
function useMarks(element: HTMLElement, expected: number): HTMLElement[] {
  const [marks, setMarks] = useState<HTMLElement[]>([])
  useLayoutEffect(() => {
    const found = [...element.querySelectorAll<HTMLElement>('mark')]
    if (found.length !== expected) return setMarks([])
    for (const mark of found) mark.replaceChildren()
    setMarks(found)
  }, [element, expected])
  return marks
}

/** Below the paragraph or list item that the blank is in. */
function EditorBelow({ mark, children }: { mark: HTMLElement; children: React.ReactNode }) {
  const [host] = useState(() => document.createElement('div'))
  useLayoutEffect(() => {
    const block = mark.closest('p, li')
    if (block?.tagName === 'LI') block.append(host)
    else block?.after(host)
    return () => host.remove()
  }, [mark, host])
  return createPortal(children, host)
}
