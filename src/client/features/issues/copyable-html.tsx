import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { TrustedHtml } from './trusted-html.tsx'

const wordsInName = 6

/** Text of a drop in which every quoted prompt has a Copy button. The server puts what is copied into `data-copy`. */
export function CopyableHtml({ html, className }: { html: string; className?: string }) {
  const container = useRef<HTMLDivElement>(null)
  const [prompts, setPrompts] = useState<HTMLElement[]>([])

  // Before the first paint, so that the buttons move nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text brings new prompts
  useLayoutEffect(() => {
    setPrompts([...(container.current?.querySelectorAll<HTMLElement>('[data-copy]') ?? [])])
  }, [html])

  return (
    <div ref={container}>
      <TrustedHtml html={html} className={className} />
      {prompts.map((prompt, index) => {
        const text = prompt.dataset.copy ?? ''
        const start = text.split(/\s+/, wordsInName).join(' ')
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
