import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { CopyButton } from './copy-button.tsx'
import { TrustedHtml } from './trusted-html.tsx'

/** Number of the prompt's words in the button's accessible name. */
const maxNameWords = 6

export type QuotedTemplate = {
  /** The quotation. */
  element: HTMLElement
  /** Its text with the names of its placeholders. */
  template: string
  /** A prompt for an assistant, not a message. */
  isPrompt: boolean
  /** Counts the texts to copy, from 0. */
  index: number
  /** Its first words. */
  what: string
}

type CopyableHtmlProps = {
  html: string
  className?: string
  /** Replaces the Copy button on texts with placeholders. */
  renderTemplate?: (quoted: QuotedTemplate) => ReactNode
}

/** Shows an issue's HTML with a Copy button on each text to copy, which the server puts into `data-copy`. */
export function CopyableHtml({ html, className, renderTemplate }: CopyableHtmlProps) {
  const container = useRef<HTMLDivElement>(null)
  const [quotations, setQuotations] = useState<HTMLElement[]>([])

  // Runs before the first paint, so that the buttons don't shift the layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text brings new quotations
  useLayoutEffect(() => {
    setQuotations([...(container.current?.querySelectorAll<HTMLElement>('[data-copy]') ?? [])])
  }, [html])

  return (
    <div ref={container}>
      <TrustedHtml html={html} className={className} />
      {quotations.map((element, index) => {
        const { copy: text = '', template } = element.dataset
        const isPrompt = 'prompt' in element.dataset
        const what = `${text.split(/\s+/, maxNameWords).join(' ')} …`
        return createPortal(
          template && renderTemplate ? (
            <div className="mt-3 print:hidden">{renderTemplate({ element, template, isPrompt, index, what })}</div>
          ) : (
            <div className="mt-3 flex justify-end print:hidden">
              <CopyButton text={text} what={what} />
            </div>
          ),
          element,
          String(index),
        )
      })}
    </div>
  )
}
