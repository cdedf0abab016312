import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { CopyButton } from './copy-button.tsx'
import { TrustedHtml } from './trusted-html.tsx'

/** Number of the prompt's words in the button's accessible name. */
const maxNameWords = 6

/** Shows an issue's HTML with a Copy button on each quoted prompt. The server puts the text to copy into `data-copy`. */
export function CopyableHtml({ html, className }: { html: string; className?: string }) {
  const container = useRef<HTMLDivElement>(null)
  const [prompts, setPrompts] = useState<HTMLElement[]>([])

  // Runs before the first paint, so that the buttons don't shift the layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text brings new prompts
  useLayoutEffect(() => {
    setPrompts([...(container.current?.querySelectorAll<HTMLElement>('[data-copy]') ?? [])])
  }, [html])

  return (
    <div ref={container}>
      <TrustedHtml html={html} className={className} />
      {prompts.map((prompt, index) => {
        const text = prompt.dataset.copy ?? ''
        const start = text.split(/\s+/, maxNameWords).join(' ')
        return createPortal(
          <div className="mt-3 flex justify-end print:hidden">
            <CopyButton text={text} what={`${start} …`} />
          </div>,
          prompt,
          String(index),
        )
      })}
    </div>
  )
}
